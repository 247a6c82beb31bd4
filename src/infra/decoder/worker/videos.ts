import { open } from 'node:fs/promises'
import path from 'node:path'
import {
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MP4,
  Mp4OutputFormat,
  Output,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'
import { maxVideoSeconds, mediaKinds } from '../../../core/media.ts'
import { type Answered, givenFile, madeFile, maxSide } from '../messages.ts'
import type { MediaFault } from '../requests.ts'
import { withoutComments } from './vorbis.ts'

/** Copies the packets of a video into a new file, without anything else of the old file. (M8) */

type Container = 'webm' | 'mp4'

const rules = {
  webm: { input: WEBM, type: 'video/webm', video: ['vp8', 'vp9', 'av1'], audio: ['opus', 'vorbis'] },
  mp4: { input: MP4, type: 'video/mp4', video: ['avc', 'av1'], audio: ['aac'] },
} as const

/** 240 pictures a second, and as many packets of sound: more than any usual video has. */
const maxPackets = 2 * 240 * maxVideoSeconds
/** Players and video editors round the duration. */
const toleratedSeconds = 0.5
const cacheBytes = 4 * 1024 * 1024

class Refused extends Error {
  readonly fault: MediaFault

  constructor(fault: MediaFault) {
    super(fault)
    this.fault = fault
  }
}

export async function videoOf(container: Container): Promise<Answered> {
  try {
    const source = new FilePathSource(path.resolve(givenFile), { maxCacheSize: cacheBytes })
    using input = new Input({ formats: [rules[container].input], source })
    return await copied(input, container)
  } catch (error) {
    return { fault: error instanceof Refused ? error.fault : 'undecodable' }
  }
}

async function copied(input: Input, container: Container): Promise<Answered> {
  const { video, audio } = await tracksOf(input, container)
  const [width, height] = [await video.getDisplayWidth(), await video.getDisplayHeight()]
  const coded = (await video.getCodedWidth()) * (await video.getCodedHeight())
  const most = mediaKinds.overlay_video.maxPixels
  const isWithin = Math.min(width, height) >= 1 && Math.max(width, height) <= maxSide
  if (!isWithin || width * height > most || coded > most) throw new Refused('dimensions')

  const output = new Output({
    // The index of the file is at its start, so that players can begin before they have the whole file.
    format: container === 'webm' ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: 'in-memory' }),
    target: new FilePathTarget(path.resolve(madeFile)),
  })
  const tracks = audio === null ? [video] : [video, audio]
  const first = Math.min(...(await Promise.all(tracks.map((track) => track.getFirstTimestamp()))))
  const counter = new Counter(first)
  const copies = [await copyOfVideo(output, video, counter)]
  if (audio !== null) copies.push(await copyOfSound(output, audio, counter))
  await output.start()
  await Promise.all(copies.map((copy) => copy()))
  await output.finalize()
  const durationMs = Math.round(counter.seconds * 1_000)
  if (durationMs < 1) throw new Refused('undecodable')
  await forgetWriter()
  return { made: { type: rules[container].type, width, height, isAnimated: false, durationMs, color: null } }
}

/** Replaces the name and version of the library in the file, which are not to be published. (M10) */
async function forgetWriter(): Promise<void> {
  const headBytes = 4 * 1024 * 1024
  await using file = await open(madeFile, 'r+')
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(headBytes), position: 0 })
  const head = buffer.toString('latin1', 0, bytesRead)
  for (const { 0: name, index } of head.matchAll(/Mediabunny v[\d.]+/g)) {
    await file.write(Buffer.from('Downbeat'.padEnd(name.length), 'latin1'), 0, name.length, index)
  }
}

async function tracksOf(input: Input, container: Container) {
  const [video, ...videos] = await input.getVideoTracks()
  const [audio = null, ...audios] = await input.getAudioTracks()
  if (video === undefined || videos.length > 0 || audios.length > 0) throw new Refused('undecodable')
  const known = rules[container]
  const isKnown = (codec: string | null, codecs: readonly string[]) => codec !== null && codecs.includes(codec)
  if (!isKnown(await video.getCodec(), known.video)) throw new Refused('undecodable')
  if (audio !== null && !isKnown(await audio.getCodec(), known.audio)) throw new Refused('undecodable')
  return { video, audio }
}

/** Counts the copied packets and seconds, over all tracks. */
class Counter {
  readonly #first: number
  #packets = 0
  seconds = 0

  /** @param first the earliest timestamp of all tracks; the copy starts at 0 */
  constructor(first: number) {
    this.#first = first
  }

  /** Returns the packet with its timestamp in the copy. */
  next(packet: EncodedPacket): EncodedPacket {
    const timestamp = Math.max(0, packet.timestamp - this.#first)
    const end = timestamp + Math.max(0, packet.duration)
    this.#packets += 1
    if (this.#packets > maxPackets || !(end <= maxVideoSeconds + toleratedSeconds)) throw new Refused('too_complex')
    this.seconds = Math.max(this.seconds, end)
    return packet.clone({ timestamp })
  }
}

async function copyOfVideo(output: Output, track: InputVideoTrack, counter: Counter): Promise<() => Promise<void>> {
  const [codec, decoderConfig] = [await track.getCodec(), await track.getDecoderConfig()]
  if (codec === null || decoderConfig === null) throw new Refused('undecodable')
  const source = new EncodedVideoPacketSource(codec)
  const [rotation, canBeTransparent] = [await track.getRotation(), await track.canBeTransparent()]
  output.addVideoTrack(source, { rotation, canBeTransparent })
  return async () => {
    for await (const packet of new EncodedPacketSink(track).packets()) {
      await source.add(counter.next(packet), { decoderConfig })
    }
    source.close()
  }
}

async function copyOfSound(output: Output, track: InputAudioTrack, counter: Counter): Promise<() => Promise<void>> {
  const [codec, decoderConfig] = [await track.getCodec(), await track.getDecoderConfig()]
  if (codec === null || decoderConfig === null) throw new Refused('undecodable')
  if (codec === 'vorbis' && decoderConfig.description !== undefined) {
    decoderConfig.description = withoutComments(bytesOf(decoderConfig.description))
  }
  const source = new EncodedAudioPacketSource(codec)
  output.addAudioTrack(source)
  return async () => {
    for await (const packet of new EncodedPacketSink(track).packets()) {
      await source.add(counter.next(packet), { decoderConfig })
    }
    source.close()
  }
}

function bytesOf(source: ArrayBufferView | ArrayBuffer | SharedArrayBuffer): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
}
