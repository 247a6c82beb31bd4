import { type Open, playing } from './whep.ts'

/** Playing in pieces over HTTP; what plays them is loaded when it is needed first. (OV19) */
const open =
  (isLowLatency: boolean): Open =>
  async (address, video, onLost, signal) => {
    const { default: Hls } = await import('hls.js/light')
    if (!Hls.isSupported()) throw new Error('this browser plays no such streams')
    const player = new Hls({
      // A worker from a blob is what the policy of the page forbids.
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
