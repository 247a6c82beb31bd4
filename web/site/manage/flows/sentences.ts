import { type WordId, words } from '../../data/words.ts'
import { type Block, isEach, isTimed, orders, type Part, type Step } from './model.ts'

/** Steps of flows as sentences; the editor makes their parts choosable. */

export type Slot = 'who' | 'does' | 'count' | 'from' | 'pair' | 'source'
export type Piece = string | { readonly slot: Slot; readonly text: string }

const listOf = (texts: readonly string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(texts)

const knownPairs: readonly string[] = ['order', 'pick', 'ban']

export function actorText(name: string): string {
  const seat = /^(?:seat:|side)(\d+)$/.exec(name)?.[1]
  if (seat !== undefined) return words('flows.who-seat', { seat })
  const [pair = '', place] = name.split(':')
  if (place === undefined) return words(`flows.who-${name}` as WordId)
  if (knownPairs.includes(pair)) return words(`flows.who-${pair}-${place}` as WordId)
  return words('flows.who-pair', { pair, place })
}

export function whoText({ action, actor }: Step): string {
  if (action === 'roll') return words(actor.includes('referee') ? 'flows.roll-referee' : 'flows.roll-system')
  return actor.map(actorText).reduce((first, other) => words('flows.who-else', { first, other }))
}

export function pairText(pair: string | null): string {
  if (pair === null) return words('flows.pair-any')
  return knownPairs.includes(pair) ? words(`flows.pair-${pair}` as WordId) : words('flows.pair-other', { pair })
}

export function fromText({ flairs, exceptFlairs, tiebreakers }: Step['from']): string {
  const pool =
    flairs !== null
      ? words('flows.from-flairs', { flairs: listOf(flairs) })
      : exceptFlairs.length > 0
        ? words('flows.from-except', { flairs: listOf(exceptFlairs) })
        : words('flows.from-pool')
  return tiebreakers ? words('flows.from-tiebreakers', { pool }) : pool
}

export function textOf(step: Step, slot: Slot): string {
  switch (slot) {
    case 'who':
      return whoText(step)
    case 'does':
      return words(`flows.does-${step.action}` as WordId)
    case 'count':
      return words('flows.count', { count: step.times })
    case 'from':
      return fromText(step.from)
    case 'pair':
      return pairText(step.pair)
    case 'source':
      return words(`flows.source-${step.source ?? 'flagged'}` as WordId)
  }
}

const slots: readonly Slot[] = ['who', 'does', 'count', 'from', 'pair', 'source']
const mark = '\u0001'

/** The sentence of a step in its pieces, in the order of the language. */
export function piecesOf(step: Step): readonly Piece[] {
  const marks = Object.fromEntries(slots.map((slot) => [slot, `${mark}${slot}${mark}`]))
  const pieces = words(`flows.sentence-${step.action}` as WordId, marks).split(mark)
  let isFirst = true
  return pieces.flatMap((piece, index): readonly Piece[] => {
    if (index % 2 === 0) return piece === '' ? [] : [piece]
    const slot = piece as Slot
    const text = isFirst ? capital(textOf(step, slot)) : textOf(step, slot)
    isFirst = false
    return [{ slot, text }]
  })
}

const capital = (text: string) => text.charAt(0).toLocaleUpperCase('en') + text.slice(1)

/** What follows of the sentence: when, how long, what else. */
export function besidesOf(step: Step): readonly string[] {
  const { when, secret, limits, label } = step
  return [
    ...(when === 'always' ? [] : [words(`flows.when-${when}`)]),
    ...(isTimed(step) && step.seconds !== null ? [timedText(step)] : []),
    ...(secret ? [words('flows.is-secret')] : []),
    ...limits.map(({ other_flair_than: than }) => words(`flows.limit-${than}`)),
    ...(label === null ? [] : [words('flows.is-called', { label })]),
  ]
}

const timedText = ({ seconds, onTimeout }: Step) =>
  words('flows.timed', { time: timeText(seconds), late: lateText(onTimeout) })

export function timeText(seconds: number | null): string {
  if (seconds === null) return words('flows.time-none')
  if (seconds % 60 === 0) return words('flows.time-minutes', { minutes: seconds / 60 })
  return words('flows.time-seconds', { seconds })
}

export function lateText(policies: Step['onTimeout']): string {
  if (policies.length === 0) return words('flows.late-hold')
  return policies
    .map((policy) => words(`flows.late-${policy}`))
    .reduce((first, then) => words('flows.late-then', { first, then }))
}

export function sentenceOf(step: Step): string {
  const said = piecesOf(step).map((piece) => (typeof piece === 'string' ? piece : piece.text))
  return [said.join(''), ...besidesOf(step)].join(', ')
}

export function orderText(each: string): string {
  return orders.includes(each)
    ? words(`flows.order-${each}` as WordId)
    : words('flows.order-pair', { pair: pairText(each) })
}

export function repeatText(repeat: number | 'until_decided'): string {
  return repeat === 'until_decided' ? words('flows.until-decided') : words('flows.times', { count: repeat })
}

export const blockText = (block: Block): string =>
  isEach(block)
    ? words('flows.block-each', { order: orderText(block.each) })
    : words('flows.block-repeat', { until: repeatText(block.repeat) })

/** What a flow is made of, in a few words. */
export function digestOf(steps: readonly Part[]): string {
  const counts = new Map<string, number>()
  const walk = (parts: readonly Part[]) => {
    for (const part of parts)
      if ('action' in part) counts.set(part.action, (counts.get(part.action) ?? 0) + part.times)
      else walk(part.steps)
  }
  walk(steps)
  const kinds = ['roll', 'protect', 'ban', 'pick', 'random', 'tiebreaker', 'lineup'] as const
  const said = kinds.flatMap((kind) => {
    const count = counts.get(kind) ?? 0
    return count === 0 ? [] : [words(`flows.digest-${kind}`, { count })]
  })
  return said.join(', ')
}
