import { Type } from 'typebox'
import { command, tournamentPath } from '../../../../core/operation.ts'
import { exampleUser, Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Services } from '../../../../services.ts'
import type { CustomWebhookContext } from '../../../listing/platforms/rules.ts'
import { teamStatuses } from '../../../teams/teams/types.ts'
import { TeamRef } from '../../../teams/teams/views/teams.ts'
import { organisers } from '../../../tournaments/access/policy.ts'
import { rulingMembers, rulingView, tieMembers } from '../../brackets/views/ties.ts'
import { type SeedingOutcome, seed as seedTeams } from '../commands/seeding.ts'
import { synchronise } from '../commands/sync.ts'
import { fetchBoard } from '../prepare.ts'
import { checkBoardAddress } from '../rules/settings.ts'

/** The addresses that this installation may fetch results from. (D34) */
export function addressContext({ config }: Services): CustomWebhookContext {
  return { allowHttp: config.environment === 'local', allowPrivate: config.webhookAllowPrivate }
}

const Row = Type.Unsafe<object>({ type: 'object', additionalProperties: true })

const Source = Type.Union(
  [
    Type.Object({ url: Type.String({ maxLength: 2_000 }) }),
    Type.Object({ rows: Type.Array(Row) }),
    Type.Object({ csv: Type.String() }),
    Type.Object({ assistant: Type.Literal(true) }),
  ],
  {
    description:
      'An address, rows, comma-separated values, or the events of the linked assistant. Values have the columns `player`, `map` (GUID or hash) and `score`, and maybe `name`, `difficulty`, `characteristic`, `accuracy`, `misses`, `badCuts`, `maxCombo`, `fullCombo`, `completion`, `externalId`, `playedAt`. Without it, the assistant where the link names events, else the address that is set.',
  },
)

/** The schema of the answer to a synchronisation. (rest-interface: QualifierSyncResult) */
const SyncResult = Type.Object(
  {
    success: Type.Boolean(),
    message: Type.String({ examples: ['31 new results recorded; 2 rows could not be matched.'] }),
    fetchedAt: Type.Optional(Instant),
    keptPreviousCache: Type.Boolean({ description: 'It failed, and what was fetched before stays.' }),
    recorded: Type.Integer({ description: 'New attempts.', examples: [31] }),
    unmatched: Type.Integer({ description: 'Rows that are nobody’s result here.', examples: [2] }),
  },
  { title: 'QualifierSyncResult' },
)

export const sync = command({
  name: 'qualifiers.synchronise',
  method: 'POST',
  path: `${tournamentPath}/qualifier/sync`,
  scope: 'rest:write',
  allow: organisers,
  summary: 'Fetch results from elsewhere into the ledger.',
  description:
    'A board that cannot be fetched or read, or that has lost all its rows, changes nothing; the answer says so with `success` false. Players go by any linked id; in an assistant’s boards by their verified accounts on the ranking platforms.',
  body: Type.Object(
    { source: Type.Optional(Source) },
    {
      examples: [
        {
          source: { rows: [{ player: exampleUser, map: '8c1e5f0b2a4d6e9f7b3a1c5d8e0f2a4b6c8d0e1f', score: 912_345 }] },
        },
      ],
    },
  ),
  bodyOptional: true,
  reply: { 200: SyncResult },
  problems: {
    'qualifier.unknown': 404,
    'qualifier.invalid': 400,
    'qualifier.not_open': 409,
    'qualifier.final': 409,
    'tournament.cancelled': 409,
  },
  prepare: async ({ db, clients, tournament, body, services, now }) => {
    const source = body?.source
    if (source !== undefined && 'url' in source) checkBoardAddress('source.url', source.url, addressContext(services))
    return fetchBoard({ db, clients, services, now }, tournament.guid, source)
  },
  run: async ({ tx, actor, tournament, prepared, now }) => {
    const { fetchedAt, ...outcome } = await synchronise(tx, actor, tournament, prepared, now)
    return {
      ...outcome,
      ...(fetchedAt === null ? {} : { fetchedAt: formatInstant(fetchedAt) }),
      keptPreviousCache: !outcome.success,
    }
  },
})

const Place = Type.Object({ status: oneOf(teamStatuses), seed: nullable(Type.Integer({ examples: [1] })) })

const SeedingView = Type.Object(
  {
    dryRun: Type.Boolean(),
    teams: Type.Array(
      Type.Object({
        seed: Type.Integer({ examples: [1] }),
        rank: Type.Integer({ examples: [1] }),
        value: Type.Number({ description: 'By the method.', examples: [0.948_2] }),
        team: TeamRef,
      }),
      { description: 'Those that advance, in the order of their seeds.' },
    ),
    changes: Type.Array(
      Type.Object({
        team: TeamRef,
        before: Place,
        after: Place,
        leaves: Type.Optional(
          Type.Array(Type.Object({ guid: Guid, name: Type.String({ examples: ['Playoffs'] }) }), {
            description: 'Brackets that a team leaves that is qualified no more.',
          }),
        ),
      }),
      { description: 'What is other than it was.' },
    ),
    ...rulingMembers,
  },
  { title: 'QualifierSeeding' },
)

export const seed = command({
  name: 'qualifiers.seed',
  method: 'POST',
  path: `${tournamentPath}/qualifier/seed`,
  scope: 'rest:write',
  allow: organisers,
  inRehearsals: true,
  summary: 'Qualify the best teams of a qualifier that is closed, with seeds, in one step.',
  description:
    'Those who share a rank are seeded in the order in which they were registered, if all of them advance. Where only some of them do it is 409 `tie.undecided`, with the tied teams and the commitment of a draw, until the body has their `order` with a `reason`, or `draw`. Teams that an earlier seeding qualified and this one does not are registered again, and leave their brackets: their open matches are walkovers for the others. Those that somebody qualified by hand stay, but give their seed to whom it belongs now.',
  query: Type.Object({ dryRun: Type.Optional(Type.Boolean({ description: 'Only tells what would be.' })) }),
  body: Type.Object(
    {
      size: Type.Integer({ minimum: 1, maximum: 4_096, examples: [32] }),
      dryRun: Type.Optional(Type.Boolean({ description: 'The same as in the query.' })),
      ...tieMembers,
    },
    { examples: [{ size: 32, dryRun: true }] },
  ),
  reply: { 200: SeedingView },
  problems: {
    'qualifier.unknown': 404,
    'qualifier.not_closed': 409,
    'tie.order_invalid': 400,
    'tie.undecided': 409,
    'tournament.over': 409,
  },
  run: async ({ tx, actor, tournament, query, body, services: { seal }, now }) => {
    const isDryRun = query.dryRun === true || body.dryRun === true
    const outcome = await seedTeams(tx, actor, tournament.guid, body, { isDryRun, seal, now })
    return { dryRun: isDryRun, ...seedingView(outcome) }
  },
})

function seedingView({ board, seededGuids, changed, ruling }: SeedingOutcome) {
  const teams = new Map(board.teams.map((team) => [team.guid, team]))
  const rows = new Map(board.standings.teams.map((row) => [row.entrant, row]))
  return {
    teams: seededGuids.flatMap((guid, index) => {
      const [row, team] = [rows.get(guid ?? ''), teams.get(guid ?? '')]
      return row === undefined || team === undefined ? [] : { seed: index + 1, rank: row.rank, value: row.value, team }
    }),
    ...rulingView(ruling, teams),
    changes: changed.map(({ before, after, leaves }) => ({
      team: after,
      before: { status: before.status, seed: before.seed },
      after: { status: after.status, seed: after.seed },
      ...(leaves.length === 0 ? {} : { leaves: leaves.map(({ guid, name }) => ({ guid, name })) }),
    })),
  }
}
