import { useState } from 'react'
import { type ApiError, sendFile, type Unreachable } from './api.ts'
import type { Media, Writes } from './generated.ts'

/** Uploads with their progress, which `fetch` does not tell. */

interface Upload {
  /** Resolves to what was made, or to null where it was refused. */
  readonly upload: (file: File) => Promise<Media | null>
  /** The share that has been sent; null while nothing is. At 1 the service looks at the file. */
  readonly share: number | null
  readonly error: ApiError | Unreachable | null
}

export function useUpload(query: Partial<Writes['POST /media']['query']>): Upload {
  const [share, setShare] = useState<number | null>(null)
  const [error, setError] = useState<Upload['error']>(null)
  const upload = async (file: File): Promise<Media | null> => {
    const body = new FormData()
    body.append('file', file)
    setShare(0)
    try {
      const made = await sendFile<Media>('/media', query, body, setShare)
      setError(null)
      return made
    } catch (refusal) {
      setError(refusal as ApiError | Unreachable)
      return null
    } finally {
      setShare(null)
    }
  }
  return { upload, share, error }
}
