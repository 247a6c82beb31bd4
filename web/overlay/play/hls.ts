import { type Open, playing } from './whep.ts'

/** Plays HLS; the player library is loaded when it is first needed. (OV19) */
const open =
  (isLowLatency: boolean): Open =>
  async (address, video, onLost, signal) => {
    const { default: Hls } = await import('hls.js/light')
    if (!Hls.isSupported()) throw new Error('this browser plays no such streams')
    const player = new Hls({
      // The policy of the page forbids a worker from a blob.
      enableWorker: false,
      lowLatencyMode: isLowLatency,
      backBufferLength: 10,
      liveDurationInfinity: true,
    })
    let isOver = false
    const stop = () => {
      if (isOver) return
      isOver = true
      player.destroy()
      video.removeAttribute('src')
      video.load()
    }
    signal.addEventListener('abort', stop, { once: true })
    const failed = new Promise<never>((_, reject) => {
      player.on(Hls.Events.ERROR, (_event, { fatal, details }) => {
        if (fatal) reject(new Error(details))
      })
    })
    try {
      player.loadSource(address)
      player.attachMedia(video)
      await Promise.race([playing(video, signal), failed])
      failed.catch(() => {
        if (!isOver) onLost()
      })
      return stop
    } catch (error) {
      failed.catch(() => {})
      stop()
      throw error
    }
  }

export const openHls = open(false)
export const openLowLatencyHls = open(true)
