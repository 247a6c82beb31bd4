import type { Config } from '../config.ts'
import { playOrigins } from '../features/streaming/streamServers/rules/servers.ts'
import { listEnabledServers } from '../features/streaming/streamServers/store.ts'
import { embedUrl } from '../features/streaming/streamSessions/rules.ts'
import type { Database } from '../infra/db/database.ts'
import { addAssets, Built } from '../infra/http/built-files.ts'
import { addOverlayPage } from '../infra/http/overlay-page.ts'
import { addServiceStyle } from '../infra/http/service-style.ts'
import { addSitePages } from '../infra/http/site-pages.ts'
import { sitePages } from './pages.ts'

/**
 * Serves the website, the page of overlays and their files.
 *
 * @param socketAt the address of the socket, known once the process listens
 */
export function addPages(
  http: Parameters<typeof addAssets>[0],
  database: Database,
  config: Config,
  socketAt: () => string,
): void {
  const { publicUrl, media } = config
  const built = new Built()
  const reached = async () => {
    const play = playOrigins(await listEnabledServers(database.db))
    const frames = [new URL(embedUrl('', publicUrl)).origin]
    return { socketUrl: socketAt(), mediaUrl: media.url, play, frames }
  }
  addAssets(http, built)
  addServiceStyle(http, built)
  addOverlayPage(http, built, reached)
  addSitePages(http, { built, pages: sitePages, publicUrl, reached })
}
