import sharp from 'sharp'

/** Of all that the library reads, pictures from memory in the formats that are asked for; on one processor. (M7) */

const drawings = 'VipsForeignLoadSvg'

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`),
})

/** SVG is for drawings of our own: while nothing of that kind is at work, it cannot be read. (M1) */
export async function withDrawings<T>(work: () => Promise<T>): Promise<T> {
  sharp.unblock({ operation: [drawings] })
  try {
    return await work()
  } finally {
    sharp.block({ operation: [drawings] })
  }
}

export { sharp }
