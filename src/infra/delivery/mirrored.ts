import { objectName, type Storage } from '../storage/storage.ts'
import type { Delivered } from './delivery.ts'
import { deliveryHeaders } from './headers.ts'

/** A stored picture from elsewhere. It is cached for a day, because the original may change. (M26) */
export function mirroredFile(
  storage: Pick<Storage, 'get'>,
  { digest, bytes }: { readonly digest: string; readonly bytes: number },
): Delivered {
  const [name, type] = [objectName(digest), 'image/webp'] as const
  return {
    name,
    type,
    bytes,
    etag: `"${digest}"`,
    headers: { ...deliveryHeaders(type, digest.slice(0, 32)), 'cache-control': 'public, max-age=86400' },
    open: async (range) => (await storage.get(name, range ?? undefined))?.stream ?? null,
  }
}
