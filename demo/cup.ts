import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

/** The tournament of the demo, from `demo/world-cup-2023.json`, with its schedule moved to the present. */

/** A day when the time is unknown, otherwise a time. */
const Moment = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}Z)?$' })
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const Code = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' })
const count = Type.Integer({ minimum: 0 })
const ordinal = Type.Integer({ minimum: 1 })
const Pool = Type.Record(Type.String(), ordinal)
const Round = Type.String({ pattern: '^([UL]\\d|GF|GFR)$' })

const Stage = Type.Union([
  Type.Object({
    name: Type.String(),
    kind: Type.Literal('qualifier'),
    runs: ordinal,
    counts: Type.Literal('best run'),
    advance: ordinal,
    pool: Pool,
  }),
  Type.Object({
    name: Type.String(),
    kind: Type.Literal('bracket'),
    rounds: Type.Array(Round, { minItems: 1 }),
    bestOf: ordinal,
    bansPerTeam: count,
    banOrder: Type.String(),
    pool: Pool,
  }),
])

/** The origin of a side of a match. */
const Origin = Type.Union([
  Type.Object({ seed: ordinal }),
  Type.Object({ winnerOf: ordinal }),
  Type.Object({ loserOf: ordinal }),
])

const Cup = Type.Object({
  description: Type.String(),
  source: Type.String(),
  notes: Type.Array(Type.String()),
  name: Type.String(),
  format: Type.Object({
    teamSize: Type.Object({ min: ordinal, max: ordinal, active: ordinal }),
    capacity: ordinal,
    type: Type.Literal('double_elimination'),
    grandFinal: Type.Literal('reset'),
    stages: Type.Array(Stage),
  }),
  /** The first entry is the registration. */
  schedule: Type.Array(
    Type.Object({ stage: Type.String(), startsAt: Moment, endsAt: Type.Union([Moment, Type.Null()]) }),
    { minItems: 1 },
  ),
  teams: Type.Array(Type.Object({ code: Code, name: Type.String(), seed: Type.Union([ordinal, Type.Null()]) })),
  qualifier: Type.Object({
    ranking: Type.String(),
    standings: Type.Array(
      Type.Object({ rank: ordinal, team: Code, sumOfShares: Type.Number({ minimum: 0 }), averageScore: count }),
    ),
  }),
  matches: Type.Array(
    Type.Object({
      number: ordinal,
      round: Round,
      slot: ordinal,
      playedOn: Day,
      teams: Type.Tuple([Code, Code]),
      score: Type.Tuple([count, count]),
      from: Type.Tuple([Origin, Origin]),
    }),
  ),
  placements: Type.Array(Type.Object({ place: ordinal, sharedTo: ordinal, team: Code, isPublished: Type.Boolean() })),
})

export type Cup = Static<typeof Cup>

const file = path.join(import.meta.dirname, 'world-cup-2023.json')

export async function readCup(): Promise<Cup> {
  const cup: unknown = JSON.parse(await readFile(file, 'utf8'))
  const shape = Compile(Cup)
  if (!shape.Check(cup)) {
    const [fault] = shape.Errors(cup)
    throw new Error(`${file} does not have the expected form: ${fault?.instancePath} ${fault?.message}`)
  }
  return cup
}

export interface Schedule {
  /** How many weeks later everything is than in the cup. */
  readonly weeks: number
  readonly registrationOpensAt: Date
  readonly registrationClosesAt: Date
  readonly startsAt: Date
  readonly endsAt: Date
  readonly stages: readonly { readonly title: string; readonly startsAt: Date; readonly endsAt: Date | null }[]
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const weekMs = 7 * dayMs

/**
 * Moves the schedule by whole weeks, which keeps weekdays and hours, so that registration opened at least an hour and
 * at most a week before `now`. Registration is open for longer than a week, so it is open now.
 */
export function scheduleAround(cup: Cup, now: Date): Schedule {
  const [registration, ...play] = cup.schedule
  const [first, last] = [play[0], play.at(-1)]
  if (registration === undefined || first === undefined || last === undefined) throw new Error('the schedule is empty')
  const qualifiers = play.find(({ stage }) => cup.format.stages.some(({ name }) => name === stage)) ?? first
  const weeks = Math.floor((now.getTime() - hourMs - startOf(registration.startsAt)) / weekMs)
  const moved = (time: number) => new Date(time + weeks * weekMs)
  return {
    weeks,
    registrationOpensAt: moved(startOf(registration.startsAt)),
    registrationClosesAt: moved(endOf(registration.endsAt ?? registration.startsAt)),
    startsAt: moved(startOf(qualifiers.startsAt)),
    endsAt: moved(endOf(last.endsAt ?? last.startsAt)),
    stages: cup.schedule.map(({ stage, startsAt, endsAt }) => ({
      title: stage,
      startsAt: moved(startOf(startsAt)),
      endsAt: endsAt === null ? null : moved(endOf(endsAt)),
    })),
  }
}

function startOf(moment: string): number {
  return Date.parse(moment)
}

/** A day ends when the next one begins. */
function endOf(moment: string): number {
  return Date.parse(moment) + (moment.includes('T') ? 0 : dayMs)
}
