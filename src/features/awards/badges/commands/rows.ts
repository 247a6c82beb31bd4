import type { SignedIn } from '../../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { listGuidsByIdentifier } from '../../../people/users/store/identifiers.ts'
import { lockUsersForKeyShare } from '../../../people/users/store/users.ts'
import { nothingYet } from '../rules/importing.ts'
import { checkRows, type Grantable, judgeRows, type RowFault, readRows } from '../rules/rows.ts'
import { listBadgesByGuid, listByName, listPairs, lockBadges } from '../store/imports.ts'
import type { Badge, Grant, RowGrant } from '../types.ts'
import { grantBadge } from './granting.ts'
import { insertReport } from './importing.ts'

export interface ImportedRows {
  readonly granted: readonly RowGrant[]
  /** GUIDs of users who hold the badge already. */
  readonly alreadyHeld: readonly string[]
  readonly errors: readonly RowFault[]
}

/**
 * Grants badges by the rows of a file: all rows or, with `partial`, those without faults. (B8)
 * @throws Problem `badge_import.unreadable`, `badge_import.too_large`, `badge_import.rows_invalid`
 */
export async function importRows(
  tx: Tx,
  actor: SignedIn,
  bytes: Uint8Array,
  { dryRun, partial }: { readonly dryRun: boolean; readonly partial: boolean },
  now: Date,
): Promise<ImportedRows> {
  const read = readRows(bytes, now)
  const users = new Map(
    await listGuidsByIdentifier(
      tx,
      read.rows.map(({ user }) => user),
    ),
  ).set('@me', actor.guid)
  const { grantable, repeated, faults } = judgeRows(read, users, await findBadges(tx, read.rows))
  const plan = dryRun ? await dryPlan(tx, grantable) : await lockedPlan(tx, grantable)
  const errors = [...faults, ...plan.faults].toSorted((one, other) => one.row - other.row)
  checkRows(errors, partial)
  const held = new Set([...repeated, ...plan.held.map(({ recipient }) => recipient.userGuid)])
  const granted = dryRun
    ? plan.open.map((one) => rowGrant(one, null, now))
    : await grantRows(tx, plan.open, actor.guid, now)
  if (!dryRun) {
    const report = { ...nothingYet, granted: granted.length, skipped: held.size, failures: errors.length }
    await insertReport(tx, 'csv', report, { by: actor.guid, dryRun, now })
  }
  return {
    granted: granted.toSorted((one, other) => one.row - other.row),
    alreadyHeld: [...held],
    errors,
  }
}

async function findBadges(tx: Tx, rows: readonly { readonly badge: string }[]): Promise<readonly Badge[]> {
  const named = [...new Set(rows.map(({ badge }) => badge))]
  const [byGuid, byName] = [
    await listBadgesByGuid(tx, named.filter(isGuid).map(normaliseGuid)),
    await listByName(
      tx,
      named.filter((each) => !isGuid(each)),
    ),
  ]
  return [...new Map([...byGuid, ...byName].map((badge) => [badge.guid, badge])).values()]
}

interface Plan {
  readonly open: readonly Grantable[]
  readonly held: readonly Grantable[]
  readonly faults: readonly RowFault[]
}

async function dryPlan(tx: Tx, grantable: readonly Grantable[]): Promise<Plan> {
  const pairs = await listPairs(
    tx,
    [...new Set(grantable.map(({ badge }) => badge.guid))],
    [...new Set(grantable.map(({ recipient }) => recipient.userGuid))],
  )
  const held = new Set(pairs.filter((pair) => !pair.isRevoked).map(keyOf))
  const isHeld = ({ badge, recipient }: Grantable) =>
    held.has(keyOf({ badgeGuid: badge.guid, userGuid: recipient.userGuid }))
  return { open: grantable.filter((one) => !isHeld(one)), held: grantable.filter(isHeld), faults: [] }
}

function keyOf({ badgeGuid, userGuid }: { readonly badgeGuid: string; readonly userGuid: string }): string {
  return `${badgeGuid} ${userGuid}`
}

/**
 * Checks badges and users again under their locks. A row whose badge or user was deleted, or whose badge was retired,
 * becomes a fault.
 */
async function lockedPlan(tx: Tx, grantable: readonly Grantable[]): Promise<Plan> {
  const badges = await lockBadges(tx, [...new Set(grantable.map(({ badge }) => badge.guid))])
  const users = await lockUsersForKeyShare(tx, [...new Set(grantable.map(({ recipient }) => recipient.userGuid))])
  const faults = grantable.flatMap(({ row, badge, recipient }) => {
    if (!users.has(recipient.userGuid)) return { row, reason: 'There is no such user.' }
    const found = badges.get(badge.guid)
    if (found === undefined) return { row, reason: 'There is no such badge.' }
    return found.retiredAt === null ? [] : { row, reason: 'This badge is retired: it can be granted no longer.' }
  })
  const faulty = new Set(faults.map(({ row }) => row))
  const { open, held } = await dryPlan(
    tx,
    grantable.filter(({ row }) => !faulty.has(row)),
  )
  return { open, held, faults }
}

async function grantRows(tx: Tx, open: readonly Grantable[], by: string, now: Date): Promise<RowGrant[]> {
  const byBadge = Map.groupBy(open, ({ badge }) => badge.guid)
  const granted: RowGrant[] = []
  for (const guid of [...byBadge.keys()].sort()) {
    const rows = byBadge.get(guid) ?? []
    const done = await grantBadge(
      tx,
      guid,
      rows.map(({ recipient }) => recipient),
      { source: 'import', by, now },
    )
    const grants = new Map(done.granted.map((grant) => [grant.userGuid, grant]))
    for (const row of rows) granted.push(rowGrant(row, grants.get(row.recipient.userGuid) ?? null, now))
  }
  return granted
}

function rowGrant({ row, badge, recipient }: Grantable, grant: Grant | null, now: Date): RowGrant {
  const { userGuid, label = null, place = null, awardedAt = now } = recipient
  return { row, grant, badge, userGuid, label, place, awardedAt }
}
