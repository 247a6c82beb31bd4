import { readFile, writeFile } from 'node:fs/promises'
import { type Answered, givenFile, madeFile } from '../messages.ts'
import { woff2Fault } from './woff2.ts'

/** Fonts are checked and kept unchanged: browsers check them again. (M9) */
export async function fontOf(): Promise<Answered> {
  const font = await readFile(givenFile)
  const fault = woff2Fault(font)
  if (fault !== null) return { fault }
  await writeFile(madeFile, font)
  return {
    made: { type: 'font/woff2', width: null, height: null, isAnimated: false, durationMs: null, color: null },
  }
}
