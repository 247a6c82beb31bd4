import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { type ByteRange, nameFault, type ObjectFacts, type Storage } from './storage.ts'

interface Where {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const maxUploadAttempts = 3
const pauseMs = 250

/** Objects of a bucket of S3-compatible storage. Loaded only where one is configured. (M15) */
export class S3Storage implements Storage {
  readonly #client: S3Client
  readonly #bucket: string

  constructor({ endpoint, region, bucket, accessKeyId, secretAccessKey }: Where) {
    this.#bucket = bucket
    this.#client = new S3Client({
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      // The options that every S3-compatible server understands.
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: maxUploadAttempts,
      requestHandler: { connectionTimeout: 5_000, requestTimeout: 60_000 },
    })
  }

  async put(name: string, file: string, facts: ObjectFacts): Promise<void> {
    const found = await this.head(name)
    if (found?.bytes !== facts.bytes) await this.#send(name, file, facts)
    await rm(file, { force: true })
  }

  async get(name: string, range?: ByteRange) {
    const Range = range === undefined ? undefined : `bytes=${range.first}-${range.last}`
    try {
      const { Body, ContentLength } = await this.#client.send(
        new GetObjectCommand({ ...this.#object(name), ...(Range === undefined ? {} : { Range }) }),
      )
      return { stream: Body as Readable, bytes: ContentLength ?? 0 }
    } catch (error) {
      if (isMissing(error)) return null
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 416) {
        throw new RangeError(`${Range} of ${name}`)
      }
      throw error
    }
  }

  async head(name: string) {
    try {
      const { ContentLength } = await this.#client.send(new HeadObjectCommand(this.#object(name)))
      return { bytes: ContentLength ?? 0 }
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  async delete(name: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#object(name))).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
  }

  async *list(prefix: string) {
    let after: string | undefined
    do {
      const { Contents = [], NextContinuationToken } = await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.#bucket,
          Prefix: prefix,
          ...(after === undefined ? {} : { ContinuationToken: after }),
        }),
      )
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of Contents) {
        if (nameFault(Key) === null) yield { name: Key, bytes: Size, changedAt: LastModified }
      }
      after = NextContinuationToken
    } while (after !== undefined)
  }

  close(): void {
    this.#client.destroy()
  }

  /** The client cannot send a stream again: each attempt opens the file anew. */
  async #send(name: string, file: string, { bytes, digest, headers }: ObjectFacts): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const command = new PutObjectCommand({
        ...this.#object(name),
        Body: createReadStream(file),
        ContentLength: bytes,
        ...standing(headers),
      })
      // The digest is part of the signature, so that the server refuses any other content.
      command.middlewareStack.add(
        (next) => (args) => {
          const request = args.request as { headers: Record<string, string> }
          request.headers['x-amz-content-sha256'] = digest
          return next(args)
        },
        { step: 'build', name: 'knownDigest' },
      )
      try {
        await this.#client.send(command)
        return
      } catch (error) {
        const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 500) : 500
        if (status < 500 || attempt === maxUploadAttempts) throw error
        await new Promise((resolve) => setTimeout(resolve, pauseMs * attempt))
      }
    }
  }

  #object(name: string) {
    const fault = nameFault(name)
    if (fault !== null) throw new Error(fault)
    return { Bucket: this.#bucket, Key: name }
  }
}

/** The headers of delivered media that the storage can keep. (M21) */
function standing(headers: Readonly<Record<string, string>>) {
  const find = (name: string) => Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const [type, caching, disposition] = [find('content-type'), find('cache-control'), find('content-disposition')]
  return {
    ...(type === undefined ? {} : { ContentType: type }),
    ...(caching === undefined ? {} : { CacheControl: caching }),
    ...(disposition === undefined ? {} : { ContentDisposition: disposition }),
  }
}

function isMissing(error: unknown): boolean {
  if (error instanceof NoSuchKey || error instanceof NotFound) return true
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket'
}
