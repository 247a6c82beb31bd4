import { answer } from '../threads/lasting.ts'
import { readInThread } from './json-body.ts'

answer(readInThread)
