/** Code blocks in documents of the project. */

/** The shell commands for readers, block by block. */
export function shellBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^ *```(?:sh|bash|console)\n([\s\S]*?)^ *```$/gm)].map(([, code = '']) => code)
}
