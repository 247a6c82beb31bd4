import type { TSchema } from 'typebox'
import type { Actor } from '../../../../core/actor.ts'
import type { Db } from '../../../../infra/db/database.ts'
import type { Seal } from '../../../../infra/sealed.ts'
import type { User } from '../types.ts'

/**
 * Parts of a user's profile that belong to slices above this one, by the name of the member in the answer. These slices
 * register them as their feature's `profile`. (rest-interface: User detail; additions: Administration)
 */
export type ProfileParts = Readonly<Record<string, ProfilePart>>

export type ProfilePart = PrivatePart | PublicPart

interface PrivatePart {
  /** The viewers who see the part: the user, who asks for `@me`; administrators, who read the account; or both. */
  readonly shownTo: readonly Exclude<Viewer, 'everybody'>[]
  readonly schema: TSchema
  readonly load: (db: Db, user: User, asking: PartAsking) => Promise<unknown>
}

/** A part of every view of a user, including the list of accounts. How much it shows depends on the viewer. */
interface PublicPart {
  readonly shownTo: 'everybody'
  readonly schema: TSchema
  /** Returns the part by the GUIDs of the users; each of them has an entry. */
  readonly loadEach: (
    db: Db,
    users: readonly Pick<User, 'guid'>[],
    asking: PartAsking,
  ) => Promise<ReadonlyMap<string, unknown>>
}

/**
 * The user themselves, who asks for `@me`; administrators, who read accounts; or everybody, who reads the public
 * profile.
 */
export type Viewer = 'user' | 'administrators' | 'everybody'

/** The caller, and the inputs for reading the parts. */
export interface ProfileAsking {
  readonly actor: Actor
  readonly seal: Seal
  readonly now: Date
}
type PartAsking = ProfileAsking & { readonly viewer: Viewer }

/** The schemas of the parts that these viewers see and the public does not. */
export function schemasOf(parts: ProfileParts, viewer: Exclude<Viewer, 'everybody'>): Record<string, TSchema> {
  return schemas(parts, ({ shownTo }) => shownTo !== 'everybody' && shownTo.includes(viewer))
}

export function publicSchemasOf(parts: ProfileParts): Record<string, TSchema> {
  return schemas(parts, ({ shownTo }) => shownTo === 'everybody')
}

function schemas(parts: ProfileParts, isWanted: (part: ProfilePart) => boolean): Record<string, TSchema> {
  const wanted = Object.entries(parts).filter(([, part]) => isWanted(part))
  return Object.fromEntries(wanted.map(([name, { schema }]) => [name, schema]))
}

/** Reads all parts for a viewer concurrently; returns them by name. */
export async function loadParts(
  parts: ProfileParts,
  viewer: Viewer,
  db: Db,
  user: User,
  asking: ProfileAsking,
): Promise<Record<string, unknown>> {
  const loaded = Object.entries(parts).map(async ([name, part]) => {
    if (part.shownTo === 'everybody') {
      return [[name, (await part.loadEach(db, [user], { ...asking, viewer })).get(user.guid)]]
    }
    const isShown = part.shownTo.some((each) => each === viewer)
    return isShown ? [[name, await part.load(db, user, { ...asking, viewer })]] : []
  })
  return Object.fromEntries((await Promise.all(loaded)).flat())
}

/** Reads the public parts of several users; returns them by GUID, then by name. */
export async function loadPublicParts(
  parts: ProfileParts,
  viewer: Viewer,
  db: Db,
  users: readonly Pick<User, 'guid'>[],
  asking: ProfileAsking,
): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  const loaded = await Promise.all(
    Object.entries(parts).map(async ([name, part]) =>
      part.shownTo === 'everybody' ? [[name, await part.loadEach(db, users, { ...asking, viewer })] as const] : [],
    ),
  )
  return new Map(
    users.map(({ guid }) => [guid, Object.fromEntries(loaded.flat().map(([name, each]) => [name, each.get(guid)]))]),
  )
}
