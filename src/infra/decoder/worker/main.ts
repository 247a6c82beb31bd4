import { type MediaKind, mediaKinds } from '../../../core/media.ts'
import type { Answered, Asked, Told } from '../messages.ts'
import { coverOf } from './covers.ts'
import { drawingOf } from './drawings.ts'
import { formOf } from './file-types.ts'
import { mirrorOf, pictureOf, variantOf } from './pictures.ts'

/**
 * The process that decodes, separate from the service: a fault of a decoder ends this process alone. It has no settings
 * and no secrets, accesses only its own folder, and does one piece of work at a time. (M6)
 */

const maxMemory = 512 * 1024 * 1024
const lookEveryMs = 50

async function answer(asked: Asked): Promise<Answered> {
  switch (asked.work) {
    case 'cover':
      return await coverOf(Buffer.from(asked.data, 'base64'), asked.type).catch(() => ({
        fault: 'unreadable' as const,
      }))
    case 'medium':
      return await mediumOf(asked.kind)
    case 'mirror':
      return await mirrorOf()
    case 'variant':
      return await variantOf(asked.wanted).catch(ownFault)
    case 'drawing':
      return await drawingOf(asked.svg).catch(ownFault)
  }
}

async function mediumOf(kind: MediaKind): Promise<Answered> {
  const found = await formOf()
  if (found === null || found.form !== mediaKinds[kind].form) return { fault: 'type_unsupported' }
  if (found.form === 'picture') return await pictureOf(kind, found.format)
  // Loaded only when needed, since videos and fonts are rare.
  if (found.form === 'video') return await (await import('./videos.ts')).videoOf(found.container)
  return await (await import('./fonts.ts')).fontOf()
}

/** The error of a file of ours, which should be readable; it is for the log. */
function ownFault(error: unknown): Answered {
  return { error: String(error) }
}

function tell(answered: Answered): void {
  const { user, system } = process.cpuUsage()
  const told: Told = { answered, processorMs: (user + system) / 1000, resident: process.memoryUsage.rss() }
  process.send?.(told)
}

process.on('message', async (asked: Asked) => {
  const answered = await answer(asked)
  // Pictures are outside the heap, so that Node.js hardly collects garbage by itself.
  globalThis.gc?.()
  tell(answered)
})
// Decoding runs in threads, so this timer fires meanwhile; where there is /proc, the service checks the memory too.
setInterval(() => process.memoryUsage.rss() > maxMemory && process.exit(3), lookEveryMs).unref()
process.on('disconnect', () => process.exit(0))
tell({ ready: true })
