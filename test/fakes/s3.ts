import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pLimit from 'p-limit'
import S3rver from 's3rver'

/** A local server with the S3 protocol and one bucket. */
export interface FakeS3 extends AsyncDisposable {
  readonly endpoint: string
  readonly bucket: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

interface Store {
  putObject(...given: unknown[]): Promise<unknown>
  deleteObject(...given: unknown[]): Promise<unknown>
}

export async function startFakeS3(): Promise<FakeS3> {
  const directory = mkdtempSync(path.join(tmpdir(), 'bucket-'))
  const bucket = 'media-of-tests'
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
    vhostBuckets: false,
  })
  takeTurns((server as unknown as { readonly store: Store }).store)
  const { port } = await server.run()
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    async [Symbol.asyncDispose]() {
      await server.close()
      rmSync(directory, { recursive: true })
    },
  }
}

/**
 * Runs writes and deletions one after the other. The store deletes empty folders, also those into which another request
 * has just begun to write, and does not handle that error. S3 itself serialises the operations on an object.
 */
function takeTurns(store: Store): void {
  const inTurn = pLimit(1)
  const put = store.putObject.bind(store)
  const remove = store.deleteObject.bind(store)
  store.putObject = (...given) => inTurn(() => put(...given))
  store.deleteObject = (...given) => inTurn(() => remove(...given))
}
