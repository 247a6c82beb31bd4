import pLimit from 'p-limit'
import { Unreachable } from '../../../infra/clients/http.ts'
import type { RankingBadge } from '../../../infra/clients/ranking.ts'
import type { Db } from '../../../infra/db/database.ts'
import type { Clients, Services } from '../../../services.ts'
import { bringFile, withIncoming } from '../../media/media/commands/keeping.ts'
import { digestOf, isBroughtOver } from './rules/importing.ts'
import { listByDigest } from './store/imports.ts'
import type { ForeignBadge, ForeignHolder, Gathered, RankedUser } from './types.ts'

/** Fetches users' badges and their pictures from ranking platform A, before a transaction. (B7) */

export interface Gathering {
  readonly db: Db
  readonly clients: Pick<Clients, 'rankings' | 'pictures'>
  readonly services: Services
  /** Whether pictures of new badges are stored; false in a dry run. */
  readonly isKept: boolean
  /** GUID of the user who waits for the answer; null for a job. */
  readonly by: string | null
  /** The time limit. Users whose data has not arrived by then stay unchanged. */
  readonly patienceMs: number
}

export interface GatheredNow extends Gathered {
  /** How long the platform asks to wait; null if it does not. */
  readonly pauseMs: number | null
}

const askedAtOnce = 4
const fetchedAtOnce = 2
const defaultPauseMs = 10_000

/**
 * Fetches the badges of users and their pictures. Failures are separate: only the user who could not be fetched, or who
 * has a badge without its picture, is returned without badges.
 * @throws Problem `service.busy`
 */
export async function gather(users: readonly RankedUser[], gathering: Gathering): Promise<GatheredNow> {
  const isLate = patience(gathering.patienceMs)
  const answered = await ask(users, gathering, isLate)
  const badges = answered.lists.flatMap((list) => list ?? [])
  const pictures = await fetchPictures(badges, gathering, isLate)
  const keyOf = ({ image, description }: RankingBadge) => pictures.get(image)?.get(description)
  const holders = users.map((user, index): ForeignHolder => {
    const found = answered.lists[index]?.map(keyOf) ?? null
    const whole = found?.filter((badge) => badge !== undefined)
    const isWhole = whole !== undefined && whole.length === found?.length
    return { ...user, badges: isWhole ? [...new Set(whole.map(({ digest }) => digest))] : null }
  })
  const all = [...pictures.values()].flatMap((ofPicture) => [...ofPicture.values()])
  return { holders, badges: new Map(all.map((badge) => [badge.digest, badge])), pauseMs: answered.pauseMs }
}

function patience(ms: number): () => boolean {
  const until = performance.now() + ms
  return () => performance.now() > until
}

async function ask(users: readonly RankedUser[], { clients }: Gathering, isLate: () => boolean) {
  let pauseMs: number | null = null
  const lists = await pLimit(askedAtOnce).map(users, async ({ externalId }) => {
    // Further requests would prolong the platform's rate limit.
    if (pauseMs !== null || isLate()) return null
    try {
      const badges = await clients.rankings.a.badges(externalId)
      return (badges ?? []).filter(isBroughtOver)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      if (error.reason === 'limited') pauseMs = Math.max(pauseMs ?? 0, error.retryAfterMs ?? defaultPauseMs)
      return null
    }
  })
  return { lists, pauseMs: pauseMs as number | null }
}

type ByDescription = ReadonlyMap<string, ForeignBadge>

/**
 * Fetches each picture once, and decodes it if one of its badges is new here. Pictures that cannot be fetched are left
 * out.
 */
async function fetchPictures(
  badges: readonly RankingBadge[],
  gathering: Gathering,
  isLate: () => boolean,
): Promise<ReadonlyMap<string, ByDescription>> {
  const wanted = new Map<string, Set<string>>()
  for (const { image, description } of badges) {
    wanted.set(image, (wanted.get(image) ?? new Set()).add(description))
  }
  const fetched = await pLimit(fetchedAtOnce).map([...wanted], async ([image, descriptions]) => {
    const found = isLate() || !URL.canParse(image) ? null : await fetchPicture(image, [...descriptions], gathering)
    return [image, found] as const
  })
  return new Map(fetched.flatMap(([image, found]) => (found === null ? [] : [[image, found] as const])))
}

async function fetchPicture(
  image: string,
  descriptions: readonly string[],
  { db, clients, services, isKept, by }: Gathering,
): Promise<ByDescription | null> {
  const read = async (file: string, fileDigest: string): Promise<ByDescription | null> => {
    const named = descriptions.map((description) => ({ description, digest: digestOf(fileDigest, description) }))
    const known = await listByDigest(
      db,
      named.map(({ digest }) => digest),
    )
    const isNew = named.some(({ digest }) => !known.has(digest))
    const parts = { kind: 'badge_image', file, digest: fileDigest, isKept, by } as const
    const picture = isNew ? await bringFile(db, parts, services) : null
    if (isNew && picture === null) return null
    return new Map(named.map((badge) => [badge.description, { ...badge, picture }]))
  }
  return withIncoming(services, (file) => clients.pictures.save(image, file), read).catch((error: unknown) => {
    if (error instanceof Unreachable) return null
    throw error
  })
}
