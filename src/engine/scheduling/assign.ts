/**
 * Assigns each row its own column with the smallest sum of costs, by shortest augmenting paths with prices (the
 * Hungarian method; rows² × columns steps). Ties go to the smaller column, in the order of the rows.
 *
 * `costs` holds the rows one after another: whole numbers, or Infinity for a forbidden pair. Returns the column of each
 * row, or null where not all rows can be assigned.
 */
export function assign(costs: Float64Array, rows: number, columns: number): Int32Array | null {
  // Rows and columns count from 1 here; column 0 holds the row being assigned.
  const rowPrices = new Float64Array(rows + 1)
  const columnPrices = new Float64Array(columns + 1)
  const owners = new Int32Array(columns + 1)
  const cameFrom = new Int32Array(columns + 1)
  const distances = new Float64Array(columns + 1)
  const done = new Uint8Array(columns + 1)
  for (let row = 1; row <= rows; row += 1) {
    owners[0] = row
    distances.fill(Infinity)
    done.fill(0)
    let column = 0
    do {
      done[column] = 1
      const owner = owners[column] as number
      const paid = rowPrices[owner] as number
      let step = Infinity
      let next = 0
      for (let other = 1; other <= columns; other += 1) {
        if (done[other] === 1) continue
        const cost = costs[(owner - 1) * columns + other - 1] as number
        const distance = cost - paid - (columnPrices[other] as number)
        if (distance < (distances[other] as number)) {
          distances[other] = distance
          cameFrom[other] = column
        }
        if ((distances[other] as number) < step) {
          step = distances[other] as number
          next = other
        }
      }
      if (step === Infinity) return null
      for (let other = 0; other <= columns; other += 1) {
        if (done[other] === 1) {
          rowPrices[owners[other] as number] = (rowPrices[owners[other] as number] as number) + step
          columnPrices[other] = (columnPrices[other] as number) - step
        } else distances[other] = (distances[other] as number) - step
      }
      column = next
    } while (owners[column] !== 0)
    while (column !== 0) {
      const previous = cameFrom[column] as number
      owners[column] = owners[previous] as number
      column = previous
    }
  }
  const chosen = new Int32Array(rows)
  for (let column = 1; column <= columns; column += 1) {
    const owner = owners[column] as number
    if (owner !== 0) chosen[owner - 1] = column - 1
  }
  return chosen
}
