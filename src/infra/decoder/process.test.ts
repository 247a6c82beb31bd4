import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { pictureIn, plain, woff2 } from '../../../test/media-files.ts'
import type { MediaKind } from '../../core/media.ts'
import { Decoder } from './decoder.ts'
import { take } from './files.ts'
import { givenFile } from './messages.ts'
import { DecodingProcess } from './process.ts'

/** The processes that decode, and their limits. (M6) */

const folder = mkdtempSync(path.join(tmpdir(), 'decoding-'))
const work = path.join(folder, 'work')
afterAll(() => rmSync(folder, { recursive: true }))

const newFile = () => path.join(folder, crypto.randomUUID())

function given(bytes: Buffer): string {
  const file = newFile()
  writeFileSync(file, bytes)
  return file
}

async function decode(kind: MediaKind, bytes: Buffer, by: Decoder, account: string | null = null) {
  const target = newFile()
  const answer = await by.decode(kind, given(bytes), target, account)
  return { answer, target }
}

const busy = { kind: 'unavailable', code: 'service.busy', headers: { 'retry-after': '1' } }

describe('the process', () => {
  const isLinux = process.platform === 'linux'
  const interlaced = plain(7_700, 7_700, 4).png({ progressive: true }).toBuffer()

  test.runIf(isLinux)(
    'knows nothing of the environment, and has bounds of the kernel; its folder goes with it',
    async () => {
      const own = path.join(folder, 'own')
      const fresh = new Decoder({ folder: own, processes: 1, pictureMs: 60_000 })
      expect(fresh.processIds).toEqual([])
      await decode('avatar', await pictureIn('png'), fresh)
      const [id] = fresh.processIds
      const names = readFileSync(`/proc/${id}/environ`, 'utf8')
        .split('\0')
        .map((line) => line.split('=')[0])
      expect(names.filter((name) => name !== '')).toEqual(['UV_THREADPOOL_SIZE', 'NODE_CHANNEL_FD'])
      const limits = readFileSync(`/proc/${id}/limits`, 'utf8')
      expect(limits).toMatch(/^Max cpu time\s+25\s+25\s+seconds/m)
      expect(limits).toMatch(/^Max core file size\s+0\s+0\s/m)
      const args = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0')
      expect(args).toContain('--permission')
      expect(
        args
          .filter((arg) => arg.startsWith('--allow'))
          .every((arg) => arg === '--allow-addons' || /^--allow-fs-(read|write)=./.test(arg)),
      ).toBe(true)
      expect(args.filter((arg) => arg.startsWith('--allow-fs-write'))).toEqual([
        expect.stringMatching(/own\/process-\w{6}\/\*$/),
      ])
      // No file of one piece of work is left for the next.
      expect(readdirSync(own).flatMap((name) => readdirSync(path.join(own, name)))).toEqual([])
      await fresh.close()
      expect([readdirSync(own), fresh.processIds]).toEqual([[], []])
    },
  )

  test.runIf(isLinux)(
    'is ended over its memory and over its time; that file is refused, and the next one is read',
    async () => {
      const hasty = new Decoder({ folder: work, processes: 1, pictureMs: 5_000, residentMb: 192 })
      expect((await decode('overlay_image', await interlaced, hasty)).answer).toEqual({ fault: 'too_complex' })
      const small = await pictureIn('png')
      expect((await decode('avatar', small, hasty)).answer).toMatchObject({ width: 96 })
      const [id] = hasty.processIds
      process.kill(Number(id), 'SIGSTOP')
      const [stuck, next] = await Promise.all([decode('avatar', small, hasty), decode('avatar', small, hasty)])
      expect([stuck.answer, next.answer]).toMatchObject([{ fault: 'too_complex' }, { width: 96 }])
      expect(existsSync(stuck.target)).toBe(false)
      await hasty.close()
    },
  )

  test.runIf(isLinux)('has more time on a machine that is busy with others', async () => {
    const patient = new Decoder({ folder: work, processes: 1, pictureMs: 3_000 })
    expect((await decode('avatar', await pictureIn('png'), patient)).answer).toMatchObject({ width: 96 })
    const id = Number(patient.processIds[0])
    const used = () =>
      readFileSync(`/proc/${id}/stat`, 'utf8')
        .split(' ')
        .slice(13, 15)
        .map(Number)
        .reduce((a, b) => a + b)
    const large = await plain(4_000, 4_000, 3).png().toBuffer()
    const before = used()
    const decoding = decode('overlay_image', large, patient)
    await vi.waitUntil(() => used() > before + 4, { timeout: 30_000, interval: 5 })
    process.kill(id, 'SIGSTOP')
    await setTimeout(4_000)
    process.kill(id, 'SIGCONT')
    expect((await decoding).answer).toMatchObject({ type: 'image/webp' })
    await patient.close()
  })

  test('that does not start in time says nothing of the file: its sender is told to come back', async () => {
    const small = await pictureIn('png')
    const hasty = new Decoder({ folder: path.join(folder, 'hasty'), processes: 1, startMs: 1 })
    for (const kind of ['avatar', 'overlay_image'] as const) {
      await expect(decode(kind, small, hasty)).rejects.toMatchObject(busy)
    }
    await expect(hasty.mirror(given(small), newFile())).rejects.toMatchObject(busy)
    await expect(hasty.ask({ work: 'drawing', svg: '<svg/>' }, 60_000, null)).rejects.toMatchObject(busy)
    expect([hasty.processIds, readdirSync(path.join(folder, 'hasty'))]).toEqual([[], []])
    await hasty.close()
  })

  test('may be there before what it is to read', async () => {
    const own = mkdtempSync(path.join(folder, 'early-'))
    const early = new DecodingProcess(own, { residentMb: 512, startMs: 60_000 })
    await vi.waitUntil(() => early.isReady, { timeout: 60_000, interval: 20 })
    writeFileSync(path.join(own, givenFile), await pictureIn('png'))
    expect(await early.work({ work: 'medium', kind: 'avatar' }, 60_000)).toMatchObject({ made: { width: 96 } })
    early.kill()
  })

  test('ends when it has had nothing to do for a while, its folder with it, and another one reads what comes then', async () => {
    const own = path.join(folder, 'resting')
    const resting = new Decoder({ folder: own, processes: 1, pictureMs: 60_000, idleMs: 1_500 })
    const small = await pictureIn('png')
    await decode('avatar', small, resting)
    // Each piece of work restarts the idle time.
    await setTimeout(1_000)
    await decode('avatar', small, resting)
    const [last, doneAt] = [resting.processIds[0], performance.now()]
    expect(last).toEqual(expect.any(Number))
    await vi.waitUntil(() => resting.processIds.length === 0, { timeout: 30_000, interval: 20 })
    expect(performance.now() - doneAt).toBeGreaterThan(1_400)
    await vi.waitUntil(() => readdirSync(own).length === 0, { timeout: 30_000, interval: 20 })
    expect((await decode('avatar', small, resting)).answer).toMatchObject({ width: 96 })
    expect(resting.processIds).not.toEqual([last])
    await resting.close()
  })

  test('has a line of sixteen, and beyond it nobody waits; closing ends it', async () => {
    const fresh = new Decoder({ folder: work, processes: 1, pictureMs: 60_000 })
    const small = await pictureIn('png')
    const all = Array.from({ length: 20 }, () => decode('avatar', small, fresh))
    const ends = await Promise.allSettled(all)
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    expect(refused).toHaveLength(4)
    for (const reason of refused) expect(reason).toMatchObject(busy)
    const last = expect(decode('avatar', small, fresh)).rejects.toMatchObject(busy)
    await fresh.close()
    await last
  })

  test('has at most four of an account in its line, and accounts take turns', async () => {
    const fresh = new Decoder({ folder: work, processes: 1, pictureMs: 60_000 })
    const small = await pictureIn('png')
    const ended: string[] = []
    const send = (account: string, count: number) =>
      Array.from({ length: count }, () => decode('avatar', small, fresh, account).then(() => ended.push(account)))
    const ends = await Promise.allSettled([...send('one', 10), ...send('two', 2), ...send('three', 1)])
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    expect(refused).toHaveLength(6)
    for (const reason of refused) expect(reason).toMatchObject(busy)
    expect(ended).toEqual(['one', 'one', 'two', 'three', 'one', 'two', 'one'])
    // Finished work makes room for more.
    expect(await Promise.all(send('one', 4))).toHaveLength(4)
    await fresh.close()
  })

  test('cannot have a link, or a file of another type, taken for what it made', async () => {
    const font = given(woff2())
    const link = newFile()
    symlinkSync(font, link)
    await expect(take(link, newFile(), 'font/woff2')).rejects.toThrow(/ELOOP/)
    await expect(take(folder, newFile(), 'font/woff2')).rejects.toThrow('no file')
    await expect(take(font, newFile(), 'image/webp')).rejects.toThrow('another type')
    expect(await take(font, newFile(), 'font/woff2')).toMatchObject({ bytes: statSync(font).size })
  })
})
