import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { SceneDocument, SceneRole } from '../../../../engine/scenes/document.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { overlayDrafts, overlayTemplates, overlayVersions } from '../tables.ts'

/** A scene of a template, for lists. */
export interface TemplateScene {
  readonly name: string
  readonly role: SceneRole | null
}

export interface Template {
  readonly guid: string
  readonly name: string
  readonly description: string
  /** In the order of the scenes. */
  readonly scenes: readonly TemplateScene[]
}

/** Selects the scenes of a document, in order. The rest of the document does not leave the database. (OV6) */
function scenesOf(document: AnyPgColumn): SQL<TemplateScene[]> {
  return sql<TemplateScene[]>`(
    select coalesce(json_agg(json_build_object('name', s.value -> 'name', 'role', s.value -> 'role')
      order by s.value ->> 'order' collate "C", s.key collate "C"), '[]')
    from json_each(${document}::json -> 'scenes') s)`
}

const columns = {
  guid: overlayTemplates.guid,
  name: overlayTemplates.name,
  description: overlayTemplates.description,
}

const ofUser = statement('overlay_templates.of_user', (orm) =>
  orm
    .select({ ...columns, scenes: scenesOf(overlayTemplates.document) })
    .from(overlayTemplates)
    .where(eq(overlayTemplates.userGuid, sql.placeholder('user')))
    .orderBy(asc(overlayTemplates.createdAt), asc(overlayTemplates.guid)),
)

/** Oldest first. */
export function listTemplates(db: Db, user: string): Promise<Template[]> {
  return ofUser(db, { user })
}

const one = statement('overlay_templates.one', (orm) =>
  orm
    .select({ ...columns, document: overlayTemplates.document })
    .from(overlayTemplates)
    .where(
      and(
        eq(overlayTemplates.guid, sql.placeholder('template')),
        eq(overlayTemplates.userGuid, sql.placeholder('user')),
      ),
    ),
)

export type TemplateWithDocument = Omit<Template, 'scenes'> & { readonly document: SceneDocument }

/** Finds only templates of this user. */
export async function findTemplate(
  db: Db,
  which: { readonly template: string; readonly user: string },
): Promise<TemplateWithDocument | undefined> {
  const [row] = await one(db, which)
  return row === undefined ? undefined : { ...row, document: JSON.parse(row.document) as SceneDocument }
}

const named = statement('overlay_templates.names', (orm) =>
  orm
    .select({ name: overlayTemplates.name })
    .from(overlayTemplates)
    .where(eq(overlayTemplates.userGuid, sql.placeholder('user'))),
)

/** Returns all names, because a user has few templates. */
export async function listTemplateNames(db: Db, user: string): Promise<string[]> {
  return (await named(db, { user })).map(({ name }) => name)
}

export type NewTemplate = Pick<
  typeof overlayTemplates.$inferInsert,
  'userGuid' | 'name' | 'description' | 'bytes' | 'document' | 'createdAt'
>

export async function insertTemplate(tx: Tx, template: NewTemplate): Promise<string> {
  const [row] = await tx.session.orm
    .insert(overlayTemplates)
    .values(template)
    .returning({ guid: overlayTemplates.guid })
  if (row === undefined) throw new Error('an inserted template was not returned')
  return row.guid
}

/** Returns whether the user had the template. */
export async function deleteTemplate(
  tx: Tx,
  { template, user }: { readonly template: string; readonly user: string },
): Promise<boolean> {
  const rows = await tx.session.orm
    .delete(overlayTemplates)
    .where(and(eq(overlayTemplates.guid, template), eq(overlayTemplates.userGuid, user)))
    .returning({ guid: overlayTemplates.guid })
  return rows.length > 0
}

const ofPublished = statement('overlay_versions.published_scenes', (orm) =>
  orm
    .select({ overlayGuid: overlayDrafts.overlayGuid, scenes: scenesOf(overlayVersions.document) })
    .from(overlayDrafts)
    .innerJoin(
      overlayVersions,
      and(
        eq(overlayVersions.overlayGuid, overlayDrafts.overlayGuid),
        eq(overlayVersions.number, overlayDrafts.publishedVersion),
      ),
    )
    .where(sql`${overlayDrafts.overlayGuid} = any(${sql.placeholder('overlays')}::uuid[])`),
)

/** Returns the scenes of published documents, by GUID of the overlay; leaves out overlays without one. */
export async function listPublishedScenes(
  db: Db,
  overlays: readonly string[],
): Promise<ReadonlyMap<string, readonly TemplateScene[]>> {
  if (overlays.length === 0) return new Map()
  return new Map((await ofPublished(db, { overlays })).map(({ overlayGuid, scenes }) => [overlayGuid, scenes]))
}
