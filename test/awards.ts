import { type Caller, type Harness, outcome, type Reply } from './harness.ts'

/** Editions of awards, created through the API by their manager. */

const hourMs = 3_600_000
export const inHours = (hours: number): string => new Date(Date.now() + hours * hourMs).toISOString()

let sequence = 0

/** The body that creates an edition: nominations open in an hour, and every account may take part. */
export function editionBody(changes: object = {}) {
  return {
    id: `awards-of-${process.pid}-${++sequence}`,
    title: 'Awards',
    nominationsOpenAt: inHours(1),
    nominationsCloseAt: inHours(25),
    votingOpensAt: inHours(49),
    votingClosesAt: inHours(97),
    publishAt: null as string | null,
    ...changes,
    rules: { accountBefore: inHours(24), link: 'none', ...('rules' in changes ? (changes.rules as object) : {}) },
  }
}

export interface Awards {
  readonly guid: string
  readonly path: string
  /** GUIDs in the order of the requested types. */
  readonly categories: readonly string[]
}

function made({ status, body, ...reply }: Reply) {
  if (status >= 300) throw new Error(`not made: ${outcome({ status, body, ...reply })} ${JSON.stringify(body)}`)
  return body
}

/** Creates an edition with a category of each type. It is moved to nominations unless it stays a draft. */
export async function makeAwards(
  api: Harness,
  manager: Caller,
  {
    types = ['user'],
    changes = {},
    isDraft = false,
  }: { types?: readonly string[]; changes?: object; isDraft?: boolean } = {},
): Promise<Awards> {
  const { guid } = made(await api.post('/awards', manager, editionBody(changes)))
  const path = `/awards/${guid}`
  const categories: string[] = []
  for (const nomineeType of types) {
    const category = await api.post(`${path}/categories`, manager, { name: `Best ${nomineeType}`, nomineeType })
    categories.push(made(category).guid)
  }
  if (!isDraft) made(await step(api, manager, path, 'nominating'))
  return { guid, path, categories }
}

export const step = (api: Harness, manager: Caller, path: string, status: string, reason?: string) =>
  api.post(`${path}/status`, manager, { status, ...(reason === undefined ? {} : { reason }) })

/** Creates nominees of a category from labels. */
export async function makeNominees(
  api: Harness,
  manager: Caller,
  { path, categories }: Awards,
  labels: readonly string[],
  category = 0,
): Promise<string[]> {
  const guids: string[] = []
  for (const label of labels) {
    guids.push(made(await api.post(`${path}/categories/${categories[category]}/nominees`, manager, { label })).guid)
  }
  return guids
}

/** Moves one date of an edition to a second ago, so that it is due. */
export async function bringForward(api: Harness, { guid }: Pick<Awards, 'guid'>, date: string): Promise<void> {
  await api.sql(`update award_editions set ${date} = now() - interval '1 second' where guid = $1`, [guid])
}
