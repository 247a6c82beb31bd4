import { conflict } from '../../../core/problem.ts'
import type { Constraints } from '../../../infra/db/constraints.ts'

export const streamServersConstraints: Constraints = {
  stream_servers_name_unique: () =>
    conflict('stream_server.name_taken', 'Another media server has this name; choose another.'),
}
