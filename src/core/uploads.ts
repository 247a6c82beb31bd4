import type { Problem } from './problem.ts'

/** Files that come with requests. */

/** A file that is written to disk as it arrives, and deleted when the operation ends. (M4) */
export interface StoredUpload {
  /** The sender's name for the file. */
  readonly name: string | null
  /** An absolute path. */
  readonly path: string
  readonly bytes: number
  /** SHA-256, in hex. */
  readonly digest: string
  /** The path of another file in the same folder, deleted with this one. */
  readonly beside: (name: string) => string
}

/** A file that came with a request. */
export interface SentUpload extends StoredUpload {
  /** Does this once the request has ended, however it ended, and before the file is deleted. */
  readonly atEnd: (work: () => void | Promise<void>) => void
}

/** What an operation allows an upload, once it knows its owner and its purpose. */
export interface UploadTerms {
  /** Maximum size of the file. */
  readonly maxBytes: number
  /** The time within which the whole upload must arrive. */
  readonly seconds: number
  /** GUID of the tournament in which the caller's rights were checked, if any. */
  readonly tournament: string | null
  /** The refusal of a larger file; by default that of media. */
  readonly tooLarge?: (maxBytes: number) => Problem
}

export interface UploadedFile {
  /** The sender's name for the file. */
  readonly name: string | null
  readonly bytes: Uint8Array
}
