/** Litres a week for each square metre. */
const need = { carrot: 12, tomato: 20, lettuce: 15 };

export function litresFor(plant: string, squareMetres: number): number {
  if (squareMetres == 0) return 0;
  var litres = need[plant as keyof typeof need];
  return litres * squareMetres;
}
