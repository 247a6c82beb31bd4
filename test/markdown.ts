/** Blocks of code in documents of the project. */

/** The lines that a reader is to type into a shell, block by block. */
export function shellBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^ *```(?:sh|bash|console)\n([\s\S]*?)^ *```$/gm)].map(([, code = '']) => code)
}
