import { type Difficulty, difficulties } from '../messages.ts'

/** Makes untrusted values safe for the rest of the service. */

const maxTextLength = 200

/**
 * Removes control characters, which a database may refuse, and cuts the text: texts of the assistant are shown up to
 * 200. (AS: Failures)
 */
export function text(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const clean = value.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
  // Never cuts a surrogate pair in half.
  return clean.length <= maxTextLength ? clean : clean.slice(0, maxTextLength).replace(/[\ud800-\udbff]$/, '')
}

export const texts = (values: readonly string[]): readonly string[] => values.map(text)

export const nonEmpty = (value: string): string | null => (value === '' ? null : text(value))

/** Clients divide by zero before the first note, so the value may be NaN or infinite. */
export const finite = (value: number): number => (Number.isFinite(value) ? value : 0)

/** The name of a number on the wire; null for an unknown number, which a newer server may send. */
export function known<T>(names: readonly T[], value: number): T | null {
  return names[value] ?? null
}

export const difficultyOf = (value: number): Difficulty | null => known(difficulties, value)
