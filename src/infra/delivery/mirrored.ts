import { objectName, type Storage } from '../storage/storage.ts'
import type { Delivered } from './delivery.ts'
import { deliveryHeaders } from './headers.ts'

/** A picture elsewhere, as it is kept here: it may change where it comes from, and is asked for again after a day. (M26) */
export function mirroredFile(
  storage: Pick<Storage, 'get'>,
  { digest, bytes }: { readonly digest: string; readonly bytes: number },
): Delivered {
  const [name, type] = [objectName(digest), 'image/webp'] as const
  return {
    ...{ name, type, bytes },
    etag: `"${digest}"`,
    headers: { ...deliveryHeaders(type, digest.slice(0, 32)), 'cache-control': 'public, max-age=86400' },
    open: async (range) => (await storage.get(name, range ?? undefined))?.stream ?? null,
  }
}
