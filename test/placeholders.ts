import { randomUUID } from 'node:crypto'
import type { Harness } from './harness.ts'
import type { MadeTournament } from './make.ts'

/** People of organisers' sheets who have not signed in, inserted the way an import does. */

export interface MadePlaceholder {
  readonly guid: string
  readonly name: string
}

export async function makePlaceholder(
  api: Harness,
  tournament: Pick<MadeTournament, 'guid'>,
  {
    name = 'Breve',
    chatPlatformId,
    awaitedChatId,
  }: { readonly name?: string; readonly chatPlatformId?: string; readonly awaitedChatId?: string } = {},
): Promise<MadePlaceholder> {
  const guid = randomUUID()
  await api.sql(
    `insert into users (guid, chat_platform_id, awaited_chat_id, username, preferred_name, avatar_url, is_placeholder,
       made_by_tournament_guid)
     values ($1, $2, $5, $3, $3, 'https://cdn.example.org/embed/avatars/0.png', true, $4)`,
    [guid, chatPlatformId ?? `placeholder:${guid}`, name, tournament.guid, awaitedChatId ?? null],
  )
  return { guid, name }
}
