/**
 * The words of a language that needs more room, for tests: 140 % as long, and in marks, by which words that stand in a
 * component are told from those of the file. (W14)
 */

export const marks = ['«', '»'] as const

export function stretched(text: string): string {
  const words = text.trim()
  if (!/\p{L}/u.test(words)) return text
  // A name stays as it is in every language.
  if (words === 'Downbeat') return `${marks[0]}${words}${marks[1]}`
  const long = words.replace(/[aeiouy]/gi, '$&$&')
  const rest = 'o'.repeat(Math.max(0, Math.ceil(words.length * 1.4) - long.length))
  return text.replace(words, () => `${marks[0]}${long}${rest}${marks[1]}`)
}
