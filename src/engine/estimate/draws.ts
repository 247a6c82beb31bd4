/**
 * Random numbers that depend only on what they are for: the seed, the run, and the match or team. So scenarios with
 * other channels or other no-shows share all draws that do not concern these, and differ only by what was asked. (R5)
 */
export type Draw = (run: number, subject: number, purpose: number) => number

/** The purposes of draws; each has its own numbers. */
export const purposes = { absence: 1, winner: 2, duration: 3 } as const

/** Numbers from 0 up to, but not including, 1. */
export function drawsOf(seed: string): Draw {
  let state = 0x811c9dc5
  for (const character of seed) state = mix(state ^ (character.codePointAt(0) ?? 0))
  return (run, subject, purpose) => mix(mix(mix(state + run) + subject) + purpose) / 2 ** 32
}

/** The finalising step of MurmurHash3 over a number that is spread first. */
function mix(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x9e3779b1) + 0x6d2b79f5
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** How much a difference of strength counts: the best team beats the last one in 98 of 100 matches. */
const steepness = 4

/** The chance of a team to win a match, from the strengths of both. (R4) */
export function chanceOf(own: number, other: number): number {
  return 1 / (1 + Math.exp(steepness * (other - own)))
}
