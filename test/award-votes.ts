import { closeVoting } from '../src/features/honours/awards/commands/closing.ts'
import { publishResults } from '../src/features/honours/awards/commands/publishing.ts'
import { beginRunoff } from '../src/features/honours/awards/commands/runoffs.ts'
import { checkStep } from '../src/features/honours/awards/rules/phases.ts'
import { lockEdition } from '../src/features/honours/awards/store/editions.ts'
import type { Edition, EditionRules, EditionStatus, NomineeType } from '../src/features/honours/awards/types.ts'
import type { Caller, Harness } from './harness.ts'

/** Awards that are voted in, arranged below the API. */

export interface MadeCategory {
  readonly guid: string
  readonly name: string
  /** GUIDs, in the order in which they were given. */
  readonly nominees: readonly string[]
}

export interface MadeEdition {
  readonly guid: string
  readonly id: string
  /** Of its address. */
  readonly path: string
  readonly admin: string
  readonly categories: readonly [MadeCategory, ...MadeCategory[]]
}

export interface CategoryOptions {
  readonly name?: string
  /** Labels, or how many. */
  readonly nominees?: number | readonly NomineeOptions[]
  readonly type?: NomineeType
  readonly badge?: string
}

export interface NomineeOptions {
  readonly label?: string
  readonly target?: string
  readonly members?: readonly string[]
}

export interface EditionOptions {
  readonly status?: EditionStatus
  readonly rules?: Partial<EditionRules>
  readonly categories?: readonly CategoryOptions[]
}

const day = 86_400_000
let sequence = 0

/** Users of the harness may vote in it unless its rules say otherwise: it asks for no link. */
export async function makeVotedEdition(api: Harness, options: EditionOptions = {}): Promise<MadeEdition> {
  const { status = 'voting', rules = {}, categories = [{}] } = options
  const number = ++sequence
  const id = `awards-${number}`
  const at = (days: number) => new Date(Date.now() + days * day).toISOString()
  const whole: EditionRules = {
    ...{ accountBefore: at(1), link: 'none', linkBefore: null, minTournamentsPlayed: 0, selfNomination: false },
    ...{ nominationsPerCategory: 3, tie: 'shared', showCounts: true, ...rules },
  }
  const [edition] = await api.sql<{ guid: string }>(
    `insert into award_editions (id, title, description, status, nominations_open_at, nominations_close_at, voting_opens_at, voting_closes_at, rules)
     values ($1, $2, '', $3, $4, $5, $6, $7, $8) returning guid`,
    [id, `Awards ${number}`, status, at(-20), at(-10), at(-5), at(5), JSON.stringify(whole)],
  )
  if (edition === undefined) throw new Error('no edition was made')
  const made: MadeCategory[] = []
  for (const [order, category] of categories.entries()) {
    made.push(await makeCategory(api, edition.guid, order, category))
  }
  return {
    ...{ guid: edition.guid, id, path: `/awards/${edition.guid}`, admin: `/admin/awards/${edition.guid}` },
    categories: made as [MadeCategory, ...MadeCategory[]],
  }
}

async function makeCategory(
  api: Harness,
  editionGuid: string,
  order: number,
  { name = `Category ${order + 1}`, nominees = 3, type = 'other', badge }: CategoryOptions,
): Promise<MadeCategory> {
  const [category] = await api.sql<{ guid: string }>(
    `insert into award_categories (edition_guid, name, description, "order", nominee_type, shortlist_size, badge_guid)
     values ($1, $2, '', $3, $4, 20, $5) returning guid`,
    [editionGuid, name, order, type, badge ?? null],
  )
  const wanted = typeof nominees === 'number' ? Array.from({ length: nominees }, () => ({})) : nominees
  const guids: string[] = []
  for (const [index, { label, target, members = [] }] of (wanted as readonly NomineeOptions[]).entries()) {
    const [nominee] = await api.sql<{ guid: string }>(
      `insert into award_nominees (category_guid, label, target_guid, members) values ($1, $2, $3, $4) returning guid`,
      [category?.guid, label ?? `${name}: nominee ${index + 1}`, target ?? null, members],
    )
    guids.push(nominee?.guid ?? '')
  }
  return { guid: category?.guid ?? '', name, nominees: guids }
}

export function vote(api: Harness, edition: MadeEdition, category: MadeCategory, user: Caller, nominee: number) {
  const nomineeGuid = category.nominees[nominee]
  return api.put(`${edition.path}/categories/${category.guid}/vote`, user, { nomineeGuid })
}

/** The acts of the steps from `voting` on, each under the lock of the edition. */
export async function step(api: Harness, { guid }: MadeEdition, to: EditionStatus, by: string | null = null) {
  return api.app.database.transaction(async (tx) => {
    const edition = (await lockEdition(tx, guid)) as Edition
    checkStep(edition.status, to)
    const now = new Date()
    if (to === 'counting') await closeVoting(tx, edition, now)
    if (to === 'voting') await beginRunoff(tx, edition, now)
    if (to === 'published') await publishResults(tx, edition, by, now)
    await tx.session.client.query('update award_editions set status = $1 where guid = $2', [to, guid])
  })
}
