import type { Rehearsal } from '../../../../client/generated.ts'
import type { Writes } from '../../data/generated.ts'

/** How the receivers of what a rehearsal would send answer. (R3) */

/** Only these have a receiver in a rehearsal: nothing that is possible there causes messages of other kinds. */
export const kinds = ['chat', 'notification', 'push'] as const
export type Kind = (typeof kinds)[number]

export const answers = ['ok', 'fail', 'limit'] as const

export interface FaultValues {
  readonly answer: (typeof answers)[number]
  readonly status: number | null
  readonly delaySeconds: number | null
  readonly retryAfter: number | null
  /** In per cent. */
  readonly share: number | null
}
export type Values = Readonly<Record<Kind, FaultValues>>

export const none: FaultValues = { answer: 'ok', status: 503, delaySeconds: 0, retryAfter: 30, share: 100 }

export function valuesOf(faults: Rehearsal['faults']): Values {
  return Object.fromEntries(
    kinds.map((kind) => {
      const fault = faults[kind]
      return [kind, fault === undefined ? none : { ...fault, share: Math.round(fault.share * 100) }]
    }),
  ) as Values
}

type Body = Writes['PUT /tournaments/{tournament}/rehearsals/{rehearsal}/faults']['body']
type Fault = NonNullable<Body[Kind]>

/** What is sent: kinds without a fault are left out, and those that have no fields here stay as they are. */
export function bodyOf(values: Values, before: Rehearsal['faults']): Body {
  const { chat: _chat, notification: _notification, push: _push, ...others } = before
  const given = Object.fromEntries(
    kinds.flatMap((kind): [Kind, Fault][] => {
      const { answer, status, delaySeconds, retryAfter, share } = values[kind]
      const delay = { delaySeconds: delaySeconds ?? 0, share: (share ?? 100) / 100 }
      if (answer === 'fail') return [[kind, { answer, status: status ?? 503, ...delay }]]
      if (answer === 'limit') return [[kind, { answer, retryAfter: retryAfter ?? 0, ...delay }]]
      return delay.delaySeconds === 0 ? [] : [[kind, { answer, ...delay }]]
    }),
  )
  return { ...others, ...given }
}

/** What often goes wrong, by a button each; what the reader has set for other kinds stays. */
export const presets = {
  chat: { chat: { ...none, answer: 'limit' } },
  push: { push: { ...none, answer: 'fail', share: 50 } },
  slow: Object.fromEntries(kinds.map((kind) => [kind, { ...none, delaySeconds: 60 }])),
} as const satisfies Readonly<Record<string, Partial<Values>>>
