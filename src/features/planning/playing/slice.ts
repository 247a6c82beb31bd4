import type { Slice } from '../../slice.ts'
import { playingOperations } from './routes.ts'

export const playing: Slice = { name: 'playing', operations: playingOperations }
