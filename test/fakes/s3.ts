import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pLimit from 'p-limit'
import S3rver from 's3rver'

/** A bucket on this machine, whose other side speaks S3. */
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
    ...{ address: '127.0.0.1', port: 0, silent: true, directory },
    ...{ configureBuckets: [{ name: bucket, configs: [] }], vhostBuckets: false },
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
 * Its store deletes folders that are empty, also those in which another request has just begun to write, whose failure nobody
 * there catches. S3 itself does one after the other to an object.
 */
function takeTurns(store: Store): void {
  const inTurn = pLimit(1)
  const put = store.putObject.bind(store)
  const remove = store.deleteObject.bind(store)
  store.putObject = (...given) => inTurn(() => put(...given))
  store.deleteObject = (...given) => inTurn(() => remove(...given))
}
