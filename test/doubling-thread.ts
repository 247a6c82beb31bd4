import { answer } from '../src/infra/threads/lasting.ts'

/** Doubles numbers; a negative one keeps the thread busy until it is ended. */
answer((number: number) => {
  while (number < 0);
  return 2 * number
})
