import type { Step } from '../flow.ts'
import { isFlagged } from './supply.ts'
import type { Findings } from './types.ts'

/** The messages for problems that the walk through a flow finds, and for each a way to solve it. */

/** @param lasts number of maps after which the session is decided at the latest */
export function reportEnd(findings: Findings, played: number, lasts: number): void {
  findings.add(
    'flow.no_decision',
    null,
    `The flow ends after ${count(played, 'map')}, and it can take ${lasts} until it is decided; add plays, or a block that repeats until it is decided.`,
  )
}

export function reportEndless(findings: Findings, path: string): void {
  findings.add(
    'flow.loop_without_play',
    path,
    'The block can be run through without a map being played, and would never end; let every round play one.',
  )
}

export function reportEmpty(findings: Findings, path: string): void {
  findings.add(
    'flow.nothing_to_play',
    path,
    'There may be no map to play here; let one be picked before, and drawn where the time to pick runs out.',
  )
}

/** @param size number of maps in the pool that may be chosen in the step */
export function reportShort(findings: Findings, step: Step, path: string, size: number): void {
  if (isFlagged(step)) {
    findings.add(
      'flow.tiebreaker_missing',
      path,
      `The pool has ${count(size, 'flagged tiebreaker')}, and this may need one more; flag another map.`,
    )
    return
  }
  const { flairs, exceptFlairs } = step.from
  const isLimited = flairs !== null || exceptFlairs.length > 0 || step.limits.length > 0
  const which = isLimited ? 'maps that may be chosen here' : 'maps'
  findings.add(
    'flow.too_few_maps',
    isLimited ? path : null,
    `The pool can run out of ${which} in the worst case, of which it has ${size}; add maps, or take bans or picks out.`,
  )
}

export function reportNoFlair(findings: Findings, path: string): void {
  findings.add(
    'flow.too_few_maps',
    path,
    'The pool may have no map with a flair left here in the worst case; give more maps a flair, or take bans or picks out.',
  )
}

export function reportLastLeft(findings: Findings, path: string): void {
  findings.add(
    'flow.last_left_drawn',
    path,
    'More than one map may be left here, and one of them is drawn; ban as many as the pool has more.',
  )
}

function count(number: number, noun: string): string {
  return `${number === 0 ? 'no' : number} ${noun}${number === 1 ? '' : 's'}`
}
