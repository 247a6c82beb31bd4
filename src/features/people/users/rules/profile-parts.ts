import type { TSchema } from 'typebox'
import type { Actor } from '../../../../core/actor.ts'
import type { Db } from '../../../../infra/db/database.ts'
import type { Seal } from '../../../../infra/sealed.ts'
import type { User } from '../types.ts'

/**
 * Parts of a user's profile that belong to slices above this one, which register them as their feature's `profile`, each
 * by the name of its member in the answer. (rest-interface: User detail; additions: Administration)
 */
export type ProfileParts = Readonly<Record<string, ProfilePart>>

export interface ProfilePart {
  /** The user themselves, who ask for `@me`; the administrators who read the account; or both. */
  readonly shownTo: readonly Viewer[]
  readonly schema: TSchema
  readonly load: (db: Db, user: User, asking: ProfileAsking & { readonly viewer: Viewer }) => Promise<unknown>
}

export type Viewer = 'user' | 'administrators'

/** Who reads a profile, and what it is shown with. */
export interface ProfileAsking {
  readonly actor: Actor
  readonly seal: Seal
  readonly now: Date
}

export function schemasOf(parts: ProfileParts, viewer: Viewer): Record<string, TSchema> {
  return Object.fromEntries(partsFor(parts, viewer).map(([name, { schema }]) => [name, schema]))
}

/** Reads all parts for a viewer concurrently; by name. */
export async function loadParts(
  parts: ProfileParts,
  viewer: Viewer,
  db: Db,
  user: User,
  asking: ProfileAsking,
): Promise<Record<string, unknown>> {
  const loaded = partsFor(parts, viewer).map(
    async ([name, { load }]) => [name, await load(db, user, { ...asking, viewer })] as const,
  )
  return Object.fromEntries(await Promise.all(loaded))
}

function partsFor(parts: ProfileParts, viewer: Viewer) {
  return Object.entries(parts).filter(([, { shownTo }]) => shownTo.includes(viewer))
}
