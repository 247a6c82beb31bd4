import sharp from 'sharp'

/** The library may read only pictures from memory in the accepted formats, with one thread. (M7) */

const drawings = 'VipsForeignLoadSvg'

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`),
})

/** Allows SVG while `work` runs. SVG is only for our own drawings, and is blocked at all other times. (M1) */
export async function withDrawings<T>(work: () => Promise<T>): Promise<T> {
  sharp.unblock({ operation: [drawings] })
  try {
    return await work()
  } finally {
    sharp.block({ operation: [drawings] })
  }
}

export { sharp }
