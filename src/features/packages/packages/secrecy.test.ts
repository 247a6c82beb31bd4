import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { makePackageWorld } from '../../../../test/package-world.ts'
import { textsOf } from '../../../../test/packages.ts'
import type { World } from '../../../../test/world.ts'
import { kinds, otherTables } from './store/kinds.ts'

/** A secret is planted in each text that no package may have, and hunted through every byte. (P8) */

let service: Harness
let world: World
beforeAll(async () => {
  service = await startHarness()
  world = await makePackageWorld(service)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const mark = 'Zq7secret'

/** Rows whose values are bound to those of others keep them. */
async function plant(column: string, value: string): Promise<boolean> {
  const [table, name] = column.split('.')
  const rows = await service
    .sql(`update "${table}" set "${name}" = ${value} returning 1`)
    .catch((error: Error & { readonly code?: string }) => {
      if (/^(23|42|22|55|P0)/.test(error.code ?? '')) return []
      throw error
    })
  return rows.length > 0
}

const inText = `'${mark} ' || gen_random_uuid()`
const values: Readonly<Record<string, string>> = {
  text: inText,
  bytea: `convert_to(${inText}, 'UTF8')`,
  jsonb: `jsonb_build_array(${inText})`,
  ARRAY: `array[${inText}]`,
}

test('no secret is in a package, whichever is asked for (P3, P8)', async () => {
  const never = new Set(
    kinds.flatMap(({ decisions }) =>
      Object.entries(decisions).flatMap(([column, says]) => (says.startsWith('never') ? [column] : [])),
    ),
  )
  const tables = new Set(
    Object.entries(otherTables).flatMap(([table, says]) => (says.startsWith('never') ? [table] : [])),
  )
  const columns = await service.sql<{ column: string; table: string; type: string }>(
    `select table_name || '.' || column_name as column, table_name as table, data_type as type
     from information_schema.columns where table_schema = 'public' and data_type in ('text', 'bytea', 'jsonb', 'ARRAY')`,
  )
  const wanted = columns.filter(({ column, table }) => never.has(column) || tables.has(table))
  const planted: string[] = []
  for (const { column, type } of wanted) if (await plant(column, values[type] ?? inText)) planted.push(column)
  expect(planted).toEqual(
    expect.arrayContaining([
      ...['tournaments.chat_webhook_url', 'tournaments.chat_webhooks', 'qualifiers.sync_url', 'pools.preview_key_hash'],
      ...['users.email', 'users.description', 'overlay_tokens.digest', 'assistant_links.host', 'stream_keys.sealed'],
      ...['webhook_deliveries.body', 'calendar_tokens.digest', 'claim_links.secret_hash', 'push_devices.endpoint'],
    ]),
  )
  const forms = [mark, Buffer.from(mark).toString('hex'), Buffer.from(mark).toString('base64').slice(0, -1)]
  for (const query of ['variant=public', 'variant=anonymised', 'variant=full', 'variant=full&include=private']) {
    const address = `${service.url}/api/tournaments/${world.tournament.guid}/package?${query}`
    const reply = await fetch(address, { headers: { authorization: `Bearer ${world.organiser.token}` } })
    expect(reply.status).toBe(200)
    const texts = await textsOf(new Uint8Array(await reply.arrayBuffer()))
    const found = [...texts].filter(([, text]) => forms.some((form) => text.includes(form))).map(([path]) => path)
    expect([query, found]).toEqual([query, []])
    // The hunt would find them.
    expect(texts.get('data/people.ndjson')?.includes(world.organiser.guid)).toBe(query !== 'variant=anonymised')
  }
})

test('no text that is hidden from callers without a token is in a package of what everybody may read (P4, P8)', async () => {
  const hidden = kinds.flatMap(({ decisions, schema }) => {
    const open = Object.keys(schema('public')?.properties ?? {})
    return Object.entries(decisions).flatMap(([column, says]) => {
      const [, member = ''] = /^exported as \w+\.(\w+)$/.exec(says) ?? []
      return member === '' || open.includes(member) ? [] : [column]
    })
  })
  const columns = await service.sql<{ column: string; type: string }>(
    `select table_name || '.' || column_name as column, data_type as type from information_schema.columns
     where table_schema = 'public' and data_type in ('text', 'jsonb') and table_name <> 'event_log'
       and table_name || '.' || column_name = any($1)`,
    [hidden],
  )
  const planted: string[] = []
  for (const { column, type } of columns) if (await plant(column, values[type] ?? inText)) planted.push(column)
  expect(planted).toEqual(
    expect.arrayContaining([
      ...['matches.notes', 'pool_maps.staff_note', 'teams.withdrawn_reason', 'team_notes.note', 'suggestions.note'],
      ...['availability_sheets.title', 'pool_comments.text', 'team_invitations.message', 'stream_assignments.note'],
      ...['corrections.reason', 'qualifier_attempts.void_reason', 'badge_grants.revoke_reason', 'media.name'],
    ]),
  )
  const address = `${service.url}/api/tournaments/${world.tournament.guid}/package`
  const reply = await fetch(address, { headers: { authorization: `Bearer ${world.organiser.token}` } })
  expect(reply.status).toBe(200)
  const texts = await textsOf(new Uint8Array(await reply.arrayBuffer()))
  expect([...texts].filter(([, text]) => text.includes(mark)).map(([path]) => path)).toEqual([])
})
