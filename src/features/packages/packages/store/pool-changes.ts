import { type SQL, sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { Word, Work } from '../../../../core/packages/marks.ts'
import { Guid, Instant, nullable } from '../../../../core/schema.ts'
import { poolChanges, pools } from '../../../maps/pools/tables.ts'
import { columnsOf, json, kind, person, personal, plain, type Row, staffText, word } from './kind.ts'
import { inPoolsOf, Options } from './maps.ts'

const Figure = nullable(Type.Number())
const Known = nullable(Type.Boolean())

/** A map as it was before or after a change, without people: none are stored with it. */
const Snapshot = Type.Object({
  view: Type.Object({
    guid: Guid,
    map: Type.Object({
      ...{ guid: Guid, hash: Work, characteristic: Word, difficulty: Word, key: nullable(Work), name: nullable(Work) },
      ...{ subName: nullable(Work), artist: nullable(Work), mapper: nullable(Work), imageUrl: nullable(Work) },
      ...{ previewUrl: nullable(Work), requirements: Type.Array(Word), ai: nullable(Word), state: Word },
      ...{ currentHash: nullable(Work), uploadedAt: nullable(Instant), checkedAt: nullable(Instant) },
      ...{ bpm: Figure, njs: Figure, nps: Figure, durationSeconds: Figure, notes: Figure, bombs: Figure },
      ...{ obstacles: Figure, maxScore: Figure, starsA: Figure, starsB: Figure, rankedA: Known, rankedB: Known },
    }),
    flair: nullable(
      Type.Object({ guid: Guid, name: personal('name'), color: Word, icon: nullable(Word), order: Type.Integer() }),
    ),
    ...{ order: Type.Integer(), isTiebreaker: Type.Boolean(), modifiers: Type.Array(Word) },
    ...{ playerOptions: Type.Array(Word), options: Options, attempts: nullable(Type.Integer()), weight: Type.Number() },
    ...{ note: nullable(personal('text')), releaseAt: nullable(Instant), releasedAt: nullable(Instant) },
    staffNote: Type.Optional(nullable(personal('text'))),
    addedBy: Type.Optional(Type.Null()),
    suggestionGuid: Type.Optional(nullable(Guid)),
    usedBefore: Type.Optional(Type.Array(Type.Object({}, { 'x-impersonal': 'word' }))),
    warnings: Type.Optional(Type.Array(Word)),
  }),
  shownOrder: nullable(Type.Integer()),
})
const Snapshots = nullable(Type.Array(Snapshot))

const listed = 100
const listedMaps = 1_000
const sizeOf = (change: SQL) => sql`coalesce(jsonb_array_length(${change}.before), 0)
  + coalesce(jsonb_array_length(${change}.after), 0)`

export const poolChangesKind = kind(
  'poolChanges',
  columnsOf(poolChanges, {
    ...{ guid: plain, poolGuid: plain, revision: plain, kind: word },
    before: json(Snapshots, { hides: ['staffNote'] }),
    after: json(Snapshots, { hides: ['staffNote'] }),
    ...{ reason: staffText, byGuid: person, at: plain, isShown: plain },
  }),
  {
    of: (tournament) => sql`${poolChanges.poolGuid} in ${inPoolsOf(tournament)}`,
    open: {
      members: ['poolGuid', 'revision', 'kind', 'before', 'after', 'reason', 'at'],
      order: ['poolGuid', 'at', 'revision'],
      // As many as the pool itself shows, since it was published.
      rows: () => sql`${poolChanges.isShown}
        and exists (select from ${pools} p where p.guid = ${poolChanges.poolGuid} and p.status <> 'draft'
          and ${poolChanges.at} >= p.published_at)
        and (select count(*) <= ${listed} and sum(${sizeOf(sql`c`)}) <= ${listedMaps} from ${poolChanges} c
          join ${pools} p on p.guid = c.pool_guid where c.pool_guid = ${poolChanges.poolGuid} and c.is_shown
            and c.at >= p.published_at and (c.at, c.guid) >= (${poolChanges.at}, ${poolChanges.guid}))`,
      seen: (row) => ({ ...row, before: seenOf(row.before), after: seenOf(row.after) }),
    },
    // What became of them is in poolMaps.
    nameless: 'none',
  },
)

/** The maps that everybody saw then. */
function seenOf(snapshots: unknown): readonly Row[] | null {
  if (!Array.isArray(snapshots)) return null
  return snapshots.flatMap(({ view, shownOrder }) => {
    if (typeof shownOrder !== 'number') return []
    const { staffNote: _n, addedBy: _a, suggestionGuid: _s, usedBefore: _u, warnings: _w, ...open } = view
    return [{ view: { ...open, map: { ...open.map, checkedAt: null }, order: shownOrder }, shownOrder }]
  })
}
