import { type SQL, sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { Guid, nullable, oneOf } from '../../../../core/schema.ts'
import { FlairsBody } from '../../../maps/pools/bodies.ts'
import { maxMaps, maxStaffNote } from '../../../maps/pools/rules/maps.ts'
import { maxUses } from '../../../maps/pools/store/used-before.ts'
import { poolChanges, pools } from '../../../maps/pools/tables.ts'
import { changeKinds } from '../../../maps/pools/types.ts'
import { Counter, textLike, textUpTo, wordUpTo } from './bounds.ts'
import { KeptFlair, KeptMap, KeptSettings } from './kept-maps.ts'
import { columnsOf, forStaff, kind, person, plain, type Row, typed } from './kind.ts'
import { inPoolsOf } from './maps.ts'

const { reason } = FlairsBody.properties

/** A map as it was before or after a change, without people: none are stored with it. */
const Snapshot = Type.Object({
  view: Type.Object({
    ...{ guid: Guid, map: KeptMap, flair: nullable(KeptFlair), ...KeptSettings },
    staffNote: Type.Optional(nullable(textUpTo(maxStaffNote))),
    addedBy: Type.Optional(Type.Null()),
    suggestionGuid: Type.Optional(nullable(Guid)),
    usedBefore: Type.Optional(Type.Array(Type.Object({}, { 'x-impersonal': 'word' }), { maxItems: maxUses })),
    warnings: Type.Optional(Type.Array(wordUpTo(), { maxItems: maxMaps })),
  }),
  shownOrder: nullable(Counter),
})
const Snapshots = nullable(Type.Array(Snapshot, { maxItems: maxMaps }))

const listed = 100
const listedMaps = 1_000
const sizeOf = (change: SQL) => sql`coalesce(jsonb_array_length(${change}.before), 0)
  + coalesce(jsonb_array_length(${change}.after), 0)`

export const poolChangesKind = kind(
  'poolChanges',
  columnsOf(poolChanges, {
    ...{ guid: plain, poolGuid: plain, revision: plain, kind: typed(oneOf(changeKinds)) },
    before: typed(Snapshots, { hides: ['staffNote'] }),
    after: typed(Snapshots, { hides: ['staffNote'] }),
    // Everybody reads why a published pool was corrected. (pools: States)
    reason: forStaff(textLike(reason), sql`not ${poolChanges.isShown}`),
    ...{ byGuid: person, at: plain, isShown: plain },
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
    brings: { lacks: { isShown: () => true } },
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
