import type { Slice } from '../../slice.ts'

export const flows: Slice = {
  name: 'flows',
  tags: { flows: 'By which steps and rules matches pick their maps and are played.' },
}
