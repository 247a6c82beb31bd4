import { Unreachable } from '../../../infra/clients/http.ts'
import type { ControlAddress, ServerKind } from '../../../infra/clients/media-servers/types.ts'
import type { Clients } from '../../../services.ts'
import type { ControlTestView } from './views.ts'

/**
 * Asks a server's control interface which streams are live. An error contains only the host and the fault, not the
 * address or the request.
 */
export async function askControl(
  clients: Clients,
  kind: ServerKind,
  control: ControlAddress,
): Promise<{ readonly view: ControlTestView; readonly failure: Unreachable | null }> {
  const startedAt = performance.now()
  const durationMs = () => Math.round(performance.now() - startedAt)
  try {
    const streams = await clients.mediaServers.list(kind, control)
    return { view: { ok: true, streams: streams.length, durationMs: durationMs(), error: null }, failure: null }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    const view = { ok: false, streams: null, durationMs: durationMs(), error: error.message }
    return { view, failure: error }
  }
}
