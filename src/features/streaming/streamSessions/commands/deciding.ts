import { mediaServerKinds } from '../../../../infra/clients/media-servers/kinds.ts'
import type { ReadQuestion, Verdict } from '../../../../infra/clients/media-servers/types.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import type { Seal } from '../../../../infra/sealed.ts'
import { digestOf } from '../../../../infra/secrets.ts'
import { viewTokenForm } from '../../streamKeys/queries.ts'
import type { StreamServer } from '../../streamServers/types.ts'
import { ReadAnswers } from '../cache.ts'
import type { Prepared } from '../prepare.ts'
import { findLive, findLiveBy } from '../store/sessions.ts'
import { mayWatchTests } from '../store/watching.ts'
import type { StreamSession } from '../types.ts'
import { finish, publish } from './publishing.ts'

interface Decision {
  readonly verdict: Verdict
  readonly session: StreamSession | null
}

const refused = (reason: string): Decision => ({ verdict: { allowed: false, reason }, session: null })

const allowed = (userGuid: string, session: StreamSession | null = null): Decision => ({
  verdict: { allowed: true, userGuid, lifetimeMs: 0 },
  session,
})

interface Around {
  readonly seal: Seal
  readonly now: Date
}

/** Decides on the answer to a media server's question. */
export async function decide(tx: Tx, server: StreamServer, prepared: Prepared, around: Around): Promise<Decision> {
  switch (prepared.action) {
    case 'refused':
      return refused(prepared.reason)
    case 'bare':
      return refused('A stream key is needed.')
    case 'publish': {
      const { question, key, gone } = prepared
      const { takesNewer } = mediaServerKinds[server.kind]
      return publish(tx, { server, key, question, takesNewer, gone, now: around.now })
    }
    case 'read':
      return decideRead(tx, server, prepared, around)
    case 'done': {
      const ended = await finish(tx, server, prepared, around.now)
      return ended === null ? refused('There was no such stream.') : allowed(ended.userGuid, ended)
    }
    case 'update': {
      const { key, userGuid } = prepared
      const live = await findLiveBy(tx, server.guid, { digest: key === null ? null : digestOf(key), userGuid })
      return live === undefined ? refused('There is no such stream.') : allowed(live.userGuid, live)
    }
    case 'other':
      return refused('Nothing is to be decided.')
  }
}

const streams = new ReadAnswers<'none' | 'test' | 'stream'>()
const viewers = new ReadAnswers<boolean>()

/**
 * Everybody who has the path may watch a live stream. A test may be watched only by its user and by staff of their
 * tournaments. (S5)
 */
async function decideRead(
  tx: Tx,
  server: StreamServer,
  { userGuid, view }: ReadQuestion,
  { seal, now }: Around,
): Promise<Decision> {
  if (userGuid === null) return refused('There is no such path.')
  const there = await streams.of([server.guid, userGuid], now, async () => {
    const live = await findLive(tx, userGuid, server.guid)
    return live === undefined ? 'none' : live.test ? 'test' : 'stream'
  })
  const mayRead = there === 'stream' || (there === 'test' && (await mayWatchTest(tx, userGuid, view, { seal, now })))
  return mayRead ? allowed(userGuid) : refused('Nothing is to be seen there.')
}

async function mayWatchTest(tx: Tx, userGuid: string, view: string | null, { seal, now }: Around): Promise<boolean> {
  const viewer = view === null ? null : viewTokenForm.open(seal, view, now)
  if (viewer === null || viewer === userGuid) return viewer !== null
  return viewers.of([viewer, userGuid], now, () => mayWatchTests(tx, viewer, userGuid))
}
