import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../../infra/db/database.ts'
import { placePeople } from '../../../people/users/commands/placeholders.ts'
import { insertPlacedPeople } from '../../../people/users/store/placeholders.ts'
import { rowFault } from '../rules.ts'
import { findChatId, insertLinks, listByChatIds, listTakenUsers, type NewPerson } from '../store/imported-people.ts'
import type { Row } from '../store/kind.ts'
import { insertPackagePeople } from '../store/package-people.ts'
import type { ImportedPerson, ImportWish } from '../types.ts'
import type { ReadRow } from './reading.ts'

/** The people of an imported tournament. Links in a package never count as verified. (P6) */

export interface Arrival extends ImportedPerson {
  readonly row: Row
}

/**
 * Says who the people of a package are here. In a restored tournament those whose chat ID has an account are that
 * account; in a copy only the caller is, and in a rehearsal all are placeholders.
 * @throws Problem `package.row`
 */
export async function recognise(tx: Tx, rows: readonly ReadRow[], wish: ImportWish): Promise<readonly Arrival[]> {
  if (wish.isRehearsal === true) {
    const users = newGuidsFor(rows.map(({ row }) => String(row.guid)))
    return rows.map(({ row }) => asStranger(row, users.get(String(row.guid)) ?? ''))
  }
  const byChatId = new Map<string, number>()
  for (const { line, row } of rows) {
    if (typeof row.chatPlatformId !== 'string') continue
    if (byChatId.has(row.chatPlatformId)) {
      throw rowFault({ kind: 'people', line, member: 'chatPlatformId' }, 'is that of an earlier row')
    }
    byChatId.set(row.chatPlatformId, line)
  }
  const known = await accountsOf(tx, [...byChatId.keys()], wish)
  const given = rows.map(({ row }) => String(row.guid))
  const taken = new Set(wish.mode === 'copy' ? given : await listTakenUsers(tx, given))
  return rows.map(({ row }) => {
    const guid = String(row.guid)
    const account = typeof row.chatPlatformId === 'string' ? known.get(row.chatPlatformId) : undefined
    if (account !== undefined) return { guid, row, ...account }
    return { guid, row, user: taken.has(guid) ? randomUUID() : guid, state: 'placeholder' }
  })
}

/** A placeholder without any connection to an account. (R1) */
function asStranger(row: Row, user: string): Arrival {
  const bare = { ...row, chatPlatformId: null, links: {} }
  return { guid: String(row.guid), row: bare, user, state: 'placeholder' }
}

/**
 * New GUIDs in the order of the given ones: what nothing else puts in an order is in the same one in every copy. (P6)
 */
export function newGuidsFor(guids: readonly string[]): ReadonlyMap<string, string> {
  const made = guids.map(() => randomUUID()).toSorted()
  return new Map(guids.toSorted().map((guid, index) => [guid, made[index] ?? '']))
}

type Known = Pick<ImportedPerson, 'user' | 'state'>

async function accountsOf(tx: Tx, chatIds: readonly string[], wish: ImportWish): Promise<ReadonlyMap<string, Known>> {
  if (wish.mode === 'copy') {
    const own = await findChatId(tx, wish.caller)
    return new Map(own === null ? [] : [[own, { user: wish.caller, state: 'account' }]])
  }
  const accounts = await listByChatIds(tx, chatIds)
  return new Map(
    accounts.map(({ guid, chatPlatformId, isPlaceholder }) => [
      chatPlatformId,
      { user: guid, state: isPlaceholder ? 'placeholder' : 'account' },
    ]),
  )
}

/** Inserts those who are not here yet. In a copy, the places of people who have an account here wait for them. */
export async function place(
  tx: Tx,
  arrivals: readonly Arrival[],
  origin: { readonly tournament: string; readonly avatarUrl: string; readonly wish: ImportWish },
): Promise<void> {
  const users = arrivals.map(({ user }) => user)
  const here = new Set(await listTakenUsers(tx, users))
  const missing = arrivals.filter(({ user }) => !here.has(user)).map(({ user, row }) => personOf(user, row))
  const { tournament, avatarUrl, wish } = origin
  const from = { tournamentGuid: tournament, actorGuid: wish.caller, avatarUrl }
  // The events of a restored tournament are those that it had.
  await (wish.mode === 'copy' ? placePeople(tx, missing, from) : insertPlacedPeople(tx, missing, from))
  await insertLinks(tx, missing)
}

/** Keeps what the packages of a restored tournament call its people. */
export async function keepNames(tx: Tx, arrivals: readonly Arrival[], tournament: string): Promise<void> {
  const named = arrivals.map(({ guid, user, row }) => ({
    ...{ packageGuid: guid, userGuid: user, wasPlaceholder: row.placeholder === true },
  }))
  await insertPackagePeople(tx, tournament, named)
}

function personOf(guid: string, row: Row): NewPerson {
  const { name, country, links, chatPlatformId } = row as Readonly<{
    name: string
    country: string | null
    links: Readonly<Record<string, string>>
    chatPlatformId: string | null
  }>
  return { guid, name, country, links, chatPlatformId }
}
