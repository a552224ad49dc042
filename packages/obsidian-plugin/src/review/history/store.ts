import { type RecordTexts, type ReviewRecord, readRecord } from "./record.ts";

/** Storage of the history. Every call rejects if the storage is not available. */
export interface HistoryStore {
  list(): Promise<readonly ReviewRecord[]>;
  texts(id: string): Promise<RecordTexts | undefined>;
  /** @param texts those that are kept stay if it is left out */
  put(record: ReviewRecord, texts?: RecordTexts): Promise<void>;
  /** Deletes the texts of a review; the review stays. */
  dropTexts(record: ReviewRecord): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  close(): void;
}

const RECORDS = "records";
const TEXTS = "texts";

/**
 * Opens a database on this device. It is outside the vault, so that copies of notes are never synced,
 * committed or shared.
 */
export async function openHistoryStore(factory: IDBFactory, name: string): Promise<HistoryStore> {
  const opening = factory.open(name, 1);
  opening.onupgradeneeded = () => {
    for (const store of [RECORDS, TEXTS]) opening.result.createObjectStore(store);
  };
  const database = await settled(opening);
  const write = async (change: (stores: Stores) => void) => {
    const transaction = database.transaction([RECORDS, TEXTS], "readwrite");
    change({ records: transaction.objectStore(RECORDS), texts: transaction.objectStore(TEXTS) });
    await done(transaction);
  };
  return {
    list: async () => (await settled(read(database, RECORDS).getAll())).map(readRecord),
    texts: (id) => settled(read(database, TEXTS).get(id)),
    put: (record, texts) =>
      write((stores) => {
        stores.records.put(record, record.id);
        if (texts !== undefined) stores.texts.put(texts, record.id);
      }),
    dropTexts: (record) =>
      write((stores) => {
        stores.records.put({ ...record, size: 0 }, record.id);
        stores.texts.delete(record.id);
      }),
    remove: (ids) =>
      write((stores) => {
        for (const id of ids) {
          stores.records.delete(id);
          stores.texts.delete(id);
        }
      }),
    close: () => database.close(),
  };
}

interface Stores {
  readonly records: IDBObjectStore;
  readonly texts: IDBObjectStore;
}

function read(database: IDBDatabase, store: string): IDBObjectStore {
  return database.transaction(store, "readonly").objectStore(store);
}

function settled<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the database gave no reason"));
  });
}

function done(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("the database is full"));
  });
}
