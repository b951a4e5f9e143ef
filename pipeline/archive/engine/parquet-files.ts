/** Joins Parquet files with the embedded engine, in this process and without a data directory. */

/** Loads the engine. @throws Error when it is not installed, or does not load here */
export const loadEngine = (): Promise<typeof import('chdb')> => import('chdb')

/**
 * Writes the rows of some files into one, in the order of the files.
 * @param directory holds the files; they alone end in `.parquet`, and are taken in the order of
 * their names
 * @returns the number of rows
 * @throws Error as `loadEngine`
 */
export async function joinParquet(directory: string, into: string): Promise<number> {
  const { Session } = await loadEngine()
  const session = new Session()
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
