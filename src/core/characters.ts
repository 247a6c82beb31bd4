/** Length in Unicode code points, the unit of every limit on characters. */
export function countCharacters(text: string): number {
  return Array.from(text).length
}
