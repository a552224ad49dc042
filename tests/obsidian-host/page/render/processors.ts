export interface SectionInfo {
  readonly text: string;
  readonly lineStart: number;
  readonly lineEnd: number;
}

export interface ProcessorContext {
  readonly docId: string;
  readonly sourcePath: string;
  readonly frontmatter: unknown;
  getSectionInfo(el: HTMLElement): SectionInfo | null;
}

export interface PostProcessor {
  (el: HTMLElement, context: ProcessorContext): unknown;
  sortOrder?: number;
}

const processors: PostProcessor[] = [];

export function addProcessor(processor: PostProcessor, sortOrder?: number): void {
  if (sortOrder !== undefined) processor.sortOrder = sortOrder;
  processors.push(processor);
  processors.sort((a, b) => (a.sortOrder ?? 0) - (b.sortOrder ?? 0));
}

export function removeProcessor(processor: PostProcessor): void {
  const at = processors.indexOf(processor);
  if (at >= 0) processors.splice(at, 1);
}

export function countProcessors(): number {
  return processors.length;
}

export async function process(el: HTMLElement, context: ProcessorContext): Promise<void> {
  for (const processor of [...processors]) {
    try {
      await processor(el, context);
    } catch (error) {
      reportError(error);
    }
  }
}
