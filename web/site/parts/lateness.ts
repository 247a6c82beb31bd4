import { words } from '../data/words.ts'

/** A time in words: minutes where they are whole or many, else seconds. */
export function timeInWords(seconds: number): string {
  const isShort = seconds < 120 && seconds % 60 !== 0
  return isShort
    ? words('late.seconds', { count: Math.round(seconds) })
    : words('late.minutes', { count: Math.round(seconds / 60) })
}
