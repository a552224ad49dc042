/** What a response says of a task; nothing where it is an error. */
export async function taskIn(
  response: Response,
): Promise<{ readonly taskId?: string; readonly status?: string }> {
  const { result } = (await response.json()) as { readonly result?: object };
  return result ?? {};
}
