/** Parquet files joined by the embedded engine, in this process and without a separate directory. */

/** Thrown when the engine is not installed, or does not load here. */
export class NoEngineError extends Error {
  override readonly name = 'NoEngineError'
}

/**
 * Writes the rows of some files into one, in the order of the files.
 * @param directory only their names end in `.parquet`; these are in their order
 * @returns the number of rows
 * @throws NoEngineError
 */
export async function joinParquet(directory: string, into: string): Promise<number> {
  let chdb: typeof import('chdb')
  try {
    chdb = await import('chdb')
  } catch (cause) {
    throw new NoEngineError('The package chdb does not load.', { cause })
  }
  const session = new chdb.Session()
  try {
    await session.queryBindAsync(
      `INSERT INTO FUNCTION file({into:String}, Parquet)
      SELECT * FROM file({parts:String}, Parquet) ORDER BY _path, _row_number`,
      { into, parts: `${directory}/*.parquet` },
    )
    const counted = await session.queryBindAsync(
      'SELECT count() FROM file({into:String}, Parquet) FORMAT TSV',
      { into },
    )
    return Number(counted.text())
  } finally {
    session.close()
  }
}
