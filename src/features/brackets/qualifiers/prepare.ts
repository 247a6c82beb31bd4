import { Problem } from '../../../core/problem.ts'
import type { AssistantMap, BoardEntry } from '../../../infra/clients/assistant/messages.ts'
import { AssistantFailure, ask, type Joined, join } from '../../../infra/clients/assistant/request.ts'
import type { DownloadClient } from '../../../infra/clients/downloads.ts'
import { Unreachable } from '../../../infra/clients/http.ts'
import type { Db } from '../../../infra/db/database.ts'
import type { Clients, Services } from '../../../services.ts'
import { openingOf } from '../../assistant/assistantLinks/queries.ts'
import { type Outcome, outcomeOf, shownText } from '../../assistant/assistantLinks/rules/outcomes.ts'
import { findLink } from '../../assistant/assistantLinks/store.ts'
import type { AssistantLink } from '../../assistant/assistantLinks/types.ts'
import type { Fetched } from './commands/sync.ts'
import { type AssistantBoard, maxAssistantRows } from './rules/assistant.ts'
import { BoardFault, readBoard, readRows } from './rules/board.ts'
import { findQualifier } from './store/qualifiers.ts'

/**
 * Where a board is fetched from. By default from the assistant, if it is linked, else from the address in the
 * qualifier's settings.
 */
export type BoardSource =
  | { readonly url: string }
  | { readonly rows: readonly unknown[] }
  | { readonly csv: string }
  | { readonly assistant: true }

export interface Around {
  readonly db: Db
  readonly clients: Pick<Clients, 'downloads' | 'assistant'>
  readonly services: Pick<Services, 'tokens' | 'seal'>
  readonly now: Date
}

/** Fetches a board, over the network if needed. Never rejects because of a remote fault. */
export async function fetchBoard(
  around: Around,
  tournamentGuid: string,
  source: BoardSource | undefined,
): Promise<Fetched> {
  try {
    if (source !== undefined && 'rows' in source) return { rows: readRows(source.rows) }
    if (source !== undefined && 'csv' in source) return { rows: readBoard(source.csv) }
    if (source !== undefined && 'url' in source) return await fetchRows(around.clients.downloads, source.url)
    const link = await findLink(around.db, tournamentGuid)
    const isLinked = link?.enabled === true && link.qualifierEvents.length > 0
    if (source !== undefined || isLinked) return await fetchOfLink(around, link)
    const url = (await findQualifier(around.db, tournamentGuid))?.syncUrl ?? null
    if (url === null) return { failure: 'There is no address to fetch results from; set "syncUrl" first.' }
    return await fetchRows(around.clients.downloads, url)
  } catch (error) {
    if (error instanceof BoardFault) return { failure: `The board ${error.message}.` }
    if (error instanceof Unreachable) return { failure: `The board could not be fetched. ${error.message}.` }
    throw error
  }
}

async function fetchRows(downloads: DownloadClient, url: string): Promise<Fetched> {
  return { rows: readBoard(await downloads.get(url)) }
}

/** Fetches all boards of an assistant; if one fails, none is used. (AS22, AS23) */
async function fetchOfLink(around: Around, link: AssistantLink | undefined): Promise<Fetched> {
  if (link === undefined) return { failure: 'The tournament is linked to no assistant.' }
  if (!link.enabled) return { failure: 'The link to the assistant is not enabled.' }
  if (link.qualifierEvents.length === 0) {
    return { failure: 'The link names no events of the assistant; set "qualifierEvents" first.' }
  }
  let outcome: Outcome | null = null
  const used = (fetched: Fetched): Fetched => (outcome === null ? fetched : { ...fetched, use: { link, outcome } })
  try {
    const { db, clients, services, now } = around
    const joined = await join(clients.assistant, await openingOf(db, services, link, now))
    const { serverVersion, tournament } = joined
    outcome = { ok: true, serverVersion, permissions: tournament.permissions }
    try {
      return used({ boards: await readBoards(joined, link.qualifierEvents) })
    } finally {
      joined.connection.close()
    }
  } catch (error) {
    if (error instanceof BoardFault) return used({ failure: `The board ${error.message}.` })
    if (error instanceof AssistantFailure) {
      const failed = outcomeOf(error)
      outcome ??= failed
      return used({ failure: failed.message })
    }
    // The link lacks what a connection needs.
    if (error instanceof Problem) {
      outcome = { ok: false, code: error.code, message: error.message }
      return used({ failure: error.message })
    }
    throw error
  }
}

interface Wanted {
  readonly event: string
  readonly map: AssistantMap
}

const atOnce = 8

/** @throws AssistantFailure, BoardFault */
async function readBoards(joined: Joined, events: readonly string[]): Promise<readonly AssistantBoard[]> {
  const wanted = events.flatMap((guid): Wanted[] => {
    const event = joined.tournament.qualifiers.find((known) => known.guid === guid)
    if (event === undefined)
      throw new BoardFault(`of the event ${guid} is not there: the assistant knows no such event`)
    return event.maps.map((map) => ({ event: guid, map }))
  })
  const boards: AssistantBoard[] = []
  let rows = 0
  for (let from = 0; from < wanted.length; from += atOnce) {
    const some = wanted.slice(from, from + atOnce)
    const read = await Promise.all(some.map(async (one) => ({ ...one, entries: await readEntries(joined, one) })))
    rows += read.reduce((sum, { entries }) => sum + entries.length, 0)
    if (rows > maxAssistantRows) throw new BoardFault(`has more than ${maxAssistantRows} rows`)
    boards.push(...read)
  }
  return boards
}

async function readEntries({ connection }: Joined, { event, map }: Wanted): Promise<readonly BoardEntry[]> {
  const { ok, details, message } = await ask(connection, { type: 'qualifierScores', event, map: map.guid })
  if (details.type === 'permission') {
    const permission = details.required
    throw new AssistantFailure('assistant.permission', 'boards may not be read', { permission })
  }
  if (!ok || details.type !== 'board') {
    const said = shownText(message)
    throw new BoardFault(`of “${shownText(map.name)}” was refused${said === '' ? '' : `: ${said.replace(/\.$/, '')}`}`)
  }
  return details.entries.filter(({ isPlaceholder }) => !isPlaceholder)
}
