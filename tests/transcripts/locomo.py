"""LoCoMo's conversations of two persons: made for tests."""

SAMPLE = {
    "sample_id": "conv-1",
    "qa": [{"question": "?", "answer": 2022}],
    "conversation": {
        "speaker_a": "Ann",
        "speaker_b": "Bo",
        "session_10_date_time": "12:05 am on 3 June, 2023",
        "session_10": [{"speaker": "Bo", "dia_id": "D10:1", "text": "later"}],
        "session_2_date_time": "1:56 pm on 8 May, 2023",
        "session_2": [
            {"speaker": "Ann", "dia_id": "D2:1", "text": "hi"},
            {
                "speaker": "Bo",
                "dia_id": "D2:2",
                "text": "look",
                "img_url": ["https://x/1.jpg"],
                "blip_caption": "a dog",
            },
            {"speaker": "Bo", "dia_id": "D2:2", "text": "again"},
            {"speaker": "Bo", "dia_id": "D2:3", "text": ""},
        ],
        "session_11_date_time": "1:00 pm on 9 July, 2023",
    },
}


BARE = {
    "0": {
        "question": [],
        "conversation": [{"timestamp": "1:56 pm on 8 May, 2023", "speaker": "Ann", "text": "hi"}],
    }
}
