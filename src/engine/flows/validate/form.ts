import { type Flow, isEach, isStep, type Part, type Step } from '../flow.ts'
import { pairOf, pairOfEach } from './actors.ts'
import { canBeChosen } from './knowledge.ts'
import { checkLapses } from './lapses.ts'
import { type Instruction, maxBytes, maxDepth, maxExpanded, maxWritten, sizeOf } from './program.ts'
import type { Findings, Setting } from './types.ts'

/** Checks of a flow as it is written, without a walk through it. (match-flows: Validation) */

/** @returns whether the flow is within the limits, so that it can be walked through */
export function checkSize(flow: Flow, findings: Findings): boolean {
  const fault = sizeFault(flow)
  if (fault !== null) findings.add('flow.too_long', null, fault)
  return fault === null
}

function sizeFault(flow: Flow): string | null {
  const { written, expanded, depth } = sizeOf(flow.steps, flow.seats)
  if (written > maxWritten) return `The flow has ${written} steps; write at most ${maxWritten}.`
  if (expanded > maxExpanded) {
    return `The flow has ${expanded} steps once its blocks are written out; make that at most ${maxExpanded}.`
  }
  if (depth > maxDepth) return `Blocks stand within each other ${depth} deep; make that at most ${maxDepth}.`
  const bytes = Buffer.byteLength(JSON.stringify(flow))
  if (bytes <= maxBytes) return null
  return `The flow takes ${bytes} bytes as JSON with all its members; name fewer flairs, so that it is at most ${maxBytes}.`
}

export function checkForm(flow: Flow, program: readonly Instruction[], setting: Setting, findings: Findings): void {
  const flairs = setting.pool == null ? null : new Set(setting.pool.map(({ flair }) => flair))
  forEachPart(flow.steps, '', (part, path) => {
    if (isStep(part)) {
      checkLapses(flow, part, path, findings)
      checkFlairs(part, path, flairs, findings)
    }
    for (const pair of pairsOf(part)) {
      if (canBeChosen(flow, program, pair)) continue
      const isDeclared = flow.pairs.includes(pair)
      const what = isDeclared
        ? `No step chooses “${pair}”; add one`
        : `The flow has no pair “${pair}”; add it to “pairs”`
      findings.add('flow.pair_open', path, `${what}, or name another actor.`)
    }
  })
  checkUnreachable(flow.steps, '', findings)
  checkRules(flow, setting, findings)
}

function forEachPart(parts: readonly Part[], prefix: string, visit: (part: Part, path: string) => void): void {
  for (const [index, part] of parts.entries()) {
    visit(part, `${prefix}${index + 1}`)
    if (!isStep(part)) forEachPart(part.steps, `${prefix}${index + 1}.`, visit)
  }
}

function pairsOf(part: Part): readonly string[] {
  if (isStep(part)) {
    const used = part.actor.flatMap((name) => pairOf(name) ?? [])
    return part.action === 'choose' && part.pair !== null ? [...used, part.pair] : used
  }
  const pair = isEach(part) ? pairOfEach(part.each) : null
  return pair === null ? [] : [pair]
}

function checkFlairs(
  { from, limits }: Step,
  path: string,
  flairs: ReadonlySet<string | null> | null,
  findings: Findings,
): void {
  if (flairs === null) return
  const named = [...(from.flairs ?? []), ...from.exceptFlairs, ...limits.flatMap(({ except }) => except)]
  for (const flair of named) {
    if (flairs.has(flair)) continue
    findings.add('flow.flair_unknown', path, `No map of the pool has the flair “${flair}”; name one that it has.`)
  }
}

/** @returns whether no part after these can be reached */
function checkUnreachable(parts: readonly Part[], prefix: string, findings: Findings): boolean {
  let isEndless = false
  for (const [index, part] of parts.entries()) {
    const path = `${prefix}${index + 1}`
    if (isEndless) {
      findings.add('flow.unreachable', path, 'A block before this goes on until all is decided; take this out.')
      continue
    }
    if (isStep(part)) continue
    const endsInside = checkUnreachable(part.steps, `${path}.`, findings)
    isEndless = endsInside || (!isEach(part) && part.repeat === 'until_decided')
  }
  return isEndless
}

function checkRules({ seats, bestOf, rules }: Flow, setting: Setting, findings: Findings): void {
  const { play, map, tie, replays } = rules
  if (replays.rule === 'score_to_beat' && seats !== 2) {
    findings.add('flow.timeout_impossible', null, 'A score to beat is for two seats; choose another rule of replays.')
  }
  const ofMatch = setting.bestOf ?? null
  if (bestOf !== null && ofMatch !== null && bestOf !== ofMatch) {
    findings.add(
      'flow.best_of_mismatch',
      null,
      `The match is best of ${ofMatch}, and the flow best of ${bestOf}; change one, or let the flow fit any.`,
    )
  }
  const least = ofMatch ?? bestOf
  if (play.mode === 'play_all' && least !== null && least < 2 * play.maps + 1) {
    findings.add(
      'flow.best_of_mismatch',
      null,
      `All of ${play.maps} maps are played only in a best of ${2 * play.maps + 1} or more, which no game decides before the last.`,
    )
  }
  checkPlayers(map, setting, findings)
  const settlesDraws = tie.includes('best_player') || tie.includes('other_map')
  if (play.mode === 'play_all' && setting.elimination === true && !settlesDraws) {
    findings.add(
      'flow.draw_possible',
      null,
      'The match can end level, and somebody must win; add “best_player” or “other_map” to “tie”.',
    )
  }
}

function checkPlayers({ team, top, players }: Flow['rules']['map'], { teamSize }: Setting, findings: Findings): void {
  const add = (message: string) => findings.add('flow.players_mismatch', null, message)
  const most = players ?? teamSize ?? null
  if (players !== null && teamSize != null && players > teamSize) {
    add(`A line-up has ${players} players, and teams play with ${teamSize}; make it at most as many.`)
  } else if (team === 'top' && top === null) add('Say in “top” of how many players the scores count.')
  else if (team === 'top' && top !== null && most !== null && top > most) {
    add(`The best ${top} scores count, and a line-up has ${most} players; make it at most as many.`)
  }
}
