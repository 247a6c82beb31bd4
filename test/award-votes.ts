import { randomUUID } from 'node:crypto'
import type { EditionRules, EditionStatus, NomineeType } from '../src/features/awards/awards/types.ts'
import type { Caller, Harness, Reply } from './harness.ts'

/** Awards with votes, inserted below the API. */

export interface MadeCategory {
  readonly guid: string
  readonly name: string
  /** GUIDs in the given order. */
  readonly nominees: readonly string[]
}

export interface MadeEdition {
  readonly guid: string
  readonly id: string
  /** The path of the edition in the API. */
  readonly path: string
  readonly admin: string
  readonly categories: readonly [MadeCategory, ...MadeCategory[]]
}

export interface CategoryOptions {
  readonly name?: string
  /** Labels of the nominees, or their number. */
  readonly nominees?: number | readonly NomineeOptions[]
  readonly type?: NomineeType
  readonly badge?: string
}

export interface NomineeOptions {
  readonly guid?: string
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

/** All users of the harness may vote in it unless its rules say otherwise, because it requires no link. */
export async function makeVotedEdition(api: Harness, options: EditionOptions = {}): Promise<MadeEdition> {
  const { status = 'voting', rules = {}, categories = [{}] } = options
  const number = ++sequence
  const id = `awards-${number}`
  const at = (days: number) => new Date(Date.now() + days * day).toISOString()
  // None of its dates is due.
  const order: readonly EditionStatus[] = ['draft', 'nominating', 'shortlisting', 'voting']
  const stage = order.includes(status) ? order.indexOf(status) : order.length
  const dates = [1, 2, 3, 5].map((days, index) => at(index < stage ? days - 10 : days))
  const whole: EditionRules = {
    accountBefore: at(1),
    link: 'none',
    linkBefore: null,
    minTournamentsPlayed: 0,
    selfNomination: false,
    nominationsPerCategory: 3,
    tie: 'shared',
    showCounts: true,
    ...rules,
  }
  const [edition] = await api.sql<{ guid: string }>(
    `insert into award_editions (id, title, description, status, nominations_open_at, nominations_close_at, voting_opens_at, voting_closes_at, rules)
     values ($1, $2, '', $3, $4, $5, $6, $7, $8) returning guid`,
    [id, `Awards ${number}`, status, ...dates, JSON.stringify(whole)],
  )
  if (edition === undefined) throw new Error('no edition was made')
  const made: MadeCategory[] = []
  for (const [order, category] of categories.entries()) {
    made.push(await makeCategory(api, edition.guid, order, category))
  }
  return {
    guid: edition.guid,
    id,
    path: `/awards/${edition.guid}`,
    admin: `/admin/awards/${edition.guid}`,
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
  for (const [index, { guid = randomUUID(), label, target, members = [] }] of (
    wanted as readonly NomineeOptions[]
  ).entries()) {
    await api.sql(
      `insert into award_nominees (category_guid, label, target_guid, members, guid) values ($1, $2, $3, $4, $5)`,
      [category?.guid, label ?? `${name}: nominee ${index + 1}`, target ?? null, members, guid],
    )
    guids.push(guid)
  }
  return { guid: category?.guid ?? '', name, nominees: guids }
}

export function vote(api: Harness, edition: MadeEdition, category: MadeCategory, user: Caller, nominee: number) {
  const nomineeGuid = category.nominees[nominee]
  return api.put(`${edition.path}/categories/${category.guid}/vote`, user, { nomineeGuid })
}

const managers = new WeakMap<object, Promise<Caller>>()

/** The user who manages awards in this service. */
export function managerOf(api: Harness): Promise<Caller> {
  const made = managers.get(api) ?? api.user({ name: 'manager', globalRoles: ['global:badges:manage'] })
  managers.set(api, made)
  return made
}

export async function tryStep(api: Harness, { path }: MadeEdition, status: EditionStatus): Promise<Reply> {
  return api.post(`${path}/status`, await managerOf(api), { status })
}

export async function step(api: Harness, edition: MadeEdition, to: EditionStatus): Promise<void> {
  const { status, text } = await tryStep(api, edition, to)
  if (status !== 200) throw new Error(`the edition does not become ${to}: ${text}`)
}
